"""Attesting a seal: signatures and time stamps made and checked, and what people did with exhibits.

- Keys and certificates are judged by stock tools alone, `ssh-keygen` and `openssl`: the commands of VERIFY.txt.
- Nothing prompts, nothing is overwritten, and every act leaves its row in the custody log.
"""
