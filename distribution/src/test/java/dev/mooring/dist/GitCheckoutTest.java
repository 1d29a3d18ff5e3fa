package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitCheckoutTest {
  @TempDir private Path folder;

  @Test
  void revision_directoryWithoutGit_isEmpty() throws Exception {
    assertThat(new GitCheckout(folder).revision()).isEmpty();
    assertThat(new GitCheckout(folder).isChanged()).isFalse();
  }
}
