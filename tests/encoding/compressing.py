"""Compressed texts for tests, made by the libraries that are their reference."""

import gzip

import zstandard


def gzipped(text: bytes) -> bytes:
    """One gzip member."""
    return gzip.compress(text, mtime=0)


def zstd(text: bytes, *, checksum: bool = True, sized: bool = True, window_log: int = 0) -> bytes:
    """One Zstandard frame, with or without its checksum and the size of its content."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        3, window_log=window_log, write_checksum=checksum, write_content_size=sized
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    if sized:
        return compressor.compress(text)
    stream = compressor.compressobj()
    return stream.compress(text) + stream.flush()


SKIPPABLE = b"\x53\x2a\x4d\x18\x05\0\0\0frame"
