package dev.mooring.dist.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several archives counts; that they are the same is ContainerImageTest's. */
class ClassArchiveTest {
  @TempDir private Path folder;

  /** What the archive is that is taken when they come out like that. */
  private String agreed(String... made) throws IOException, InterruptedException {
    Iterator<String> next = List.of(made).iterator();
    Path taken = ClassArchive.agreed(folder, to -> Files.writeString(to, next.next()));
    assertThat(next.hasNext()).as("more were made than needed").isFalse();
    return Files.readString(taken);
  }

  @Test
  void twoThatAreTheSameAreEnough() throws Exception {
    assertThat(agreed("usual", "usual")).isEqualTo("usual");
  }

  @Test
  void oneThatIsOddIsNotTakenWheneverItComes() throws Exception {
    assertThat(agreed("odd", "usual", "usual")).isEqualTo("usual");
    assertThat(agreed("usual", "odd", "usual")).isEqualTo("usual");
    assertThat(agreed("odd", "usual", "odder", "usual")).isEqualTo("usual");
  }

  @Test
  void noneIsTakenIfAllDiffer() {
    assertThatThrownBy(() -> agreed("a", "b", "c", "d"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "of 4 archives of classes no two are the same: make the image again on a machine that is less busy");
  }
}
