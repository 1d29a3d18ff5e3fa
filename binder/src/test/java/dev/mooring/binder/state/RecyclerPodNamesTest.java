package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recognition of recycler pods by Mooring's names, which cannot be guessed. */
class RecyclerPodNamesTest {
  private static final Set<String> VOLUMES = Set.of("disk", "disk-0123456789abcdef");

  @ParameterizedTest
  @CsvSource({
    "recycler-for-disk-fedcba9876543210,                  disk",
    "recycler-for-disk-0123456789abcdef-fedcba9876543210, disk-0123456789abcdef",
    "recycler-for-gone-fedcba9876543210,                  gone",
    "recycler-for-disk,                                   ''",
    "recycler-for-disk-0123456789abcdef,                  ''", // Kubernetes' name for that volume
    "recycler-for-disk-fedcba987654321,                   ''",
    "recycler-for-disk-FEDCBA9876543210,                  ''",
    "recycler-for-fedcba9876543210,                       ''",
    "another-for-disk-fedcba9876543210,                   ''",
  })
  void scrubbedVolume_podName_onlyIfMooringChoseIt(String pod, String volume) {
    assertThat(
            RecyclerPodNames.scrubbedVolume(ObjectKey.of("default", pod), VOLUMES::contains)
                .orElse(""))
        .isEqualTo(volume);
  }
}
