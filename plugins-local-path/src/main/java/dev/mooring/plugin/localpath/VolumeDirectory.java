package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.RelativePath;

record VolumeDirectory(BasePath base, RelativePath below) {
  String path() {
    return base.resolve(below);
  }

  @Override
  public String toString() {
    return path();
  }
}
