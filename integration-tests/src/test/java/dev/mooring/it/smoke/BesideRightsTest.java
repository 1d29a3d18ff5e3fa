package dev.mooring.it.smoke;

import dev.mooring.it.MinimalRightsTests;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks that provisioning with {@code --mode=beside} needs exactly the declared rights. */
class BesideRightsTest {
  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> provisioning_generatedRights_areSufficientAndNecessary() throws Exception {
    return new MinimalRightsTests(new BesideTrial(), folder).tests();
  }
}
