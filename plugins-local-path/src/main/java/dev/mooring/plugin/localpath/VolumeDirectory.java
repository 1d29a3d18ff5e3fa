package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.RelativePath;

/**
 * Directory of one volume.
 *
 * @param base configured path that contains the directory
 * @param below path relative to the base
 */
record VolumeDirectory(BasePath base, RelativePath below) {
  /** Returns the absolute path on the node. */
  String path() {
    return base.resolve(below);
  }

  @Override
  public String toString() {
    return path();
  }
}
