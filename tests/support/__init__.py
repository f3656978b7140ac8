"""What tests share: a still clock, disks that fail, small worlds."""
