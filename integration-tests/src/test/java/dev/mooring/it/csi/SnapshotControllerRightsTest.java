package dev.mooring.it.csi;

import dev.mooring.it.RightByRight;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots, and groups of them, are made and let go with just the rights that are declared for it.
 */
class SnapshotControllerRightsTest {
  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> rightByRight() throws Exception {
    return new RightByRight(new SnapshotControllerTrial(false), folder).tests();
  }

  @TestFactory
  Stream<DynamicTest> ofGroupsToo() throws Exception {
    return new RightByRight(new SnapshotControllerTrial(true), folder).tests();
  }
}
