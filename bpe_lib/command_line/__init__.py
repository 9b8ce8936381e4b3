"""What stands behind `python -m bpe_lib`, whose arguments are in `bpe_lib.__main__`."""
