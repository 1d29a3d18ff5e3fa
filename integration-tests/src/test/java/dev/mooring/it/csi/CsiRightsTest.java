package dev.mooring.it.csi;

import dev.mooring.it.MinimalRightsTests;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks that mode {@code csi} needs exactly the declared rights. */
class CsiRightsTest {
  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> csiMode_declaredRights_areSufficientAndNecessary() throws Exception {
    return new MinimalRightsTests(new CsiTrial(), folder).tests();
  }
}
