package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.RelativePath;

record VolumeDirectory(BasePath base, RelativePath relativePath) {
  String path() {
    return base.resolve(relativePath);
  }

  @Override
  public String toString() {
    return path();
  }
}
