package dev.mooring.it.csi;

import dev.mooring.it.MinimalRightsTests;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks that snapshots and group snapshots need exactly the declared rights. */
class SnapshotControllerRightsTest {
  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> snapshots_declaredRights_areSufficientAndNecessary() throws Exception {
    return new MinimalRightsTests(new SnapshotControllerTrial(false), folder).tests();
  }

  @TestFactory
  Stream<DynamicTest> groupSnapshots_declaredRights_areSufficientAndNecessary() throws Exception {
    return new MinimalRightsTests(new SnapshotControllerTrial(true), folder).tests();
  }
}
