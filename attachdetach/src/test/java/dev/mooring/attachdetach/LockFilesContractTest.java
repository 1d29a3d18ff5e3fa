package dev.mooring.attachdetach;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.AttacherContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LockFilesContractTest implements AttacherContract {
  @TempDir private Path folder;

  @Override
  public VolumePlugin plugin() {
    return new LockFiles(folder);
  }

  @Override
  public VolumeSource attachable() {
    return LockFiles.source("disk-1");
  }
}
