package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.dist.image.ContainerImage.ImageMachine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistOptionsTest {
  @Test
  void of_arm64_selectsSecondImage() {
    DistOptions options =
        DistOptions.of(List.of("--root-arm64=/root", "--jdk-arm64=/jdk", "--", "-Xmx1g"));
    assertThat(options.otherMachine())
        .contains(new ImageMachine.OtherMachine("arm64", Path.of("/jdk"), Path.of("/root")));
    assertThat(options.buildsImage()).isTrue();
    assertThat(options.flags()).containsExactly("-Xmx1g");
    assertThat(DistOptions.of(List.of()).otherMachine()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--jdk-arm64=/jdk", "--root-arm64=/root"})
  void of_onlyJdkOrRoot_isRejected(String option) {
    assertThatThrownBy(() -> DistOptions.of(List.of(option)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("--jdk-arm64=DIR", "--root-arm64=DIR", "both");
  }

  @Test
  void of_arm64WithoutImage_isRejected() {
    assertThatThrownBy(
            () -> DistOptions.of(List.of("--no-image", "--jdk-arm64=/jdk", "--root-arm64=/root")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--no-image");
  }
}
