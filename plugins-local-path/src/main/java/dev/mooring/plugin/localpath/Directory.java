package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.RelativePath;

/**
 * A volume's directory.
 *
 * @param base the configured path that it lies below
 * @param below where, from there
 */
record Directory(BasePath base, RelativePath below) {
  /** Its path on the node. */
  String path() {
    return base.resolve(below);
  }

  @Override
  public String toString() {
    return path();
  }
}
