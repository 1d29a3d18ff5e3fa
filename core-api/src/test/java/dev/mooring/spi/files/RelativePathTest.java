package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelativePathTest {
  private static RelativePath path(String text) throws PathRejectedException {
    return RelativePath.of(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a/b/c",
        "...",
        "..a",
        "a..",
        "-rf",
        "*",
        "~",
        "$(id)",
        " ",
        "\\",
        "%2e%2e",
        "\u2215",
        "\uff0f",
        "a\u0301",
        "\uD83D\uDE00",
        ".mooringx",
        ".mooring-new",
        "archived-x"
      })
  void of_validText_keepsText(String text) throws Exception {
    assertThat(path(text)).hasToString(text).isEqualTo(path(text)).hasSameHashCodeAs(path(text));
  }

  static Stream<Arguments> of_invalidText_throws() {
    return Stream.of(
        Arguments.of("", "is empty"),
        Arguments.of("/", "is absolute"),
        Arguments.of("/abs", "is absolute"),
        Arguments.of("//", "is absolute"),
        Arguments.of("..", "has the element \"..\""),
        Arguments.of("../../etc", "has the element \"..\""),
        Arguments.of("x/../y", "has the element \"..\""),
        Arguments.of("x/..", "has the element \"..\""),
        Arguments.of(".", "has the element \".\""),
        Arguments.of("x/./y", "has the element \".\""),
        Arguments.of("a//b", "has an empty element"),
        Arguments.of("a/", "has an empty element"),
        Arguments.of("a\u0000b", "non-printable"),
        Arguments.of("a\nb", "non-printable"),
        Arguments.of("a\u007fb", "non-printable"),
        Arguments.of("a\u0085b", "non-printable"),
        Arguments.of("a\u202eb", "non-printable"),
        Arguments.of("a\u200bb", "non-printable"),
        Arguments.of("a\u2028b", "non-printable"),
        Arguments.of("a\u2029b", "non-printable"),
        Arguments.of("a\uD800", "non-printable"),
        Arguments.of("a\u0378", "non-printable"),
        Arguments.of("a".repeat(256), "has an element of more than 255 bytes"),
        Arguments.of("\u00e4".repeat(128), "has an element of more than 255 bytes"),
        Arguments.of("a/".repeat(512) + "a", "is longer than 1024 bytes"),
        Arguments.of(".mooring", "has the element \".mooring\", which is reserved"),
        Arguments.of(".MOORING/volumes", "reserved"),
        Arguments.of("below/.mooring/volumes", "reserved"),
        Arguments.of(".mooring-new-x", "reserved"),
        Arguments.of("below/.Mooring-New-x/y", "reserved"));
  }

  @ParameterizedTest
  @MethodSource
  void of_invalidText_throws(String text, String message) {
    assertThatThrownBy(() -> path(text))
        .isInstanceOf(PathRejectedException.class)
        .hasMessageStartingWith("the directory \"")
        .hasMessageContaining(message);
  }

  /** Directories of earlier versions must stay measurable and removable. */
  @ParameterizedTest
  @ValueSource(
      strings = {"ns/.mooring", "ns/.MOORING/x", "ns/.mooring-new-x", ".mooring-new-x", "a/b"})
  void existing_reservedNameBelowRoot_isAccepted(String text) throws Exception {
    assertThat(RelativePath.existing(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {".mooring", ".Mooring/volumes", "", "/a", "a/../b", "a//b", "a\nb"})
  void existing_privateDirectoryOrInvalidText_throws(String text) {
    assertThatThrownBy(() -> RelativePath.existing(text)).isInstanceOf(PathRejectedException.class);
  }

  @Test
  void of_maximumLength_isAccepted() throws Exception {
    assertThat(path("a".repeat(255)).name()).hasSize(255);
    assertThat(path("a/".repeat(511) + "ab").elements()).hasSize(512);
  }

  /** The message appears in logs, events and terminals. */
  @Test
  void refusal_hostileText_isReplacedAndShortened() {
    assertThatThrownBy(() -> path("a\n\u202e\uD800b"))
        .hasMessage("the directory \"a\uFFFD\uFFFD\uFFFDb\" contains non-printable characters");
    assertThatThrownBy(() -> path("\uD83D\uDE00".repeat(500)))
        .hasMessage(
            "the directory \"" + "\uD83D\uDE00".repeat(60) + "...\" is longer than 1024 bytes");
  }

  @Test
  void element_severalElements_throws() throws Exception {
    assertThat(RelativePath.element("pvc-1")).isEqualTo("pvc-1");
    assertThatThrownBy(() -> RelativePath.element("a/b"))
        .isInstanceOf(PathRejectedException.class)
        .hasMessage("the directory \"a/b\" has more than one element");
    assertThatThrownBy(() -> RelativePath.element("..")).isInstanceOf(PathRejectedException.class);
    assertThatThrownBy(() -> RelativePath.element("")).isInstanceOf(PathRejectedException.class);
  }

  @Test
  void relations_ofPaths_compareElements() throws Exception {
    assertThat(path("a/b/c").ancestors()).containsExactly(path("a"), path("a/b"));
    assertThat(path("a").ancestors()).isEmpty();
    assertThat(path("a/b").overlaps(path("a"))).isTrue();
    assertThat(path("a").overlaps(path("a/b"))).isTrue();
    assertThat(path("a/b").overlaps(path("a/c"))).isFalse();
    assertThat(path("a/b").overlaps(path("a/bc"))).isFalse();
    assertThat(path("ns/c/x").startsWith("ns", "c")).isTrue();
    assertThat(path("ns/c").startsWith("ns", "c")).isTrue();
    assertThat(path("ns/cc").startsWith("ns", "c")).isFalse();
    assertThat(path("ns").startsWith("ns", "c")).isFalse();
  }

  @Test
  void below_pathBelowRoot_returnsRemainder() throws Exception {
    Path root = Path.of("/srv/volumes");
    assertThat(RelativePath.below(root, Path.of("/srv/volumes/a/b"))).isEqualTo(path("a/b"));
    assertThat(RelativePath.below(Path.of("/"), Path.of("/a"))).isEqualTo(path("a"));
  }

  @Test
  void below_nonPrintableCharacters_isAccepted() throws Exception {
    assumeTrue(
        Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode('\u200c'),
        "skipped: the platform cannot encode the name");
    Path root = Path.of("/srv/volumes");
    assertThat(RelativePath.below(root, root.resolve("a\u200cb")).name()).hasSize(3);
  }

  /** Java decodes such a name to another one, which would address another directory. */
  @Test
  void below_undecodableName_throws(@TempDir Path root) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "mkdir \"$0/$(printf 'a\\377')\"", root.toString()).start();
    assumeTrue(process.waitFor() == 0, "skipped: the file system rejects such names");
    try (Stream<Path> entries = Files.list(root)) {
      Path undecodable = entries.findFirst().orElseThrow();
      assertThatThrownBy(() -> RelativePath.below(root, undecodable))
          .isInstanceOf(PathRejectedException.class)
          .hasMessageContaining("has a name that this platform cannot encode");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/srv/volumes,            is not below /srv/volumes",
    "/srv,                    is not below /srv/volumes",
    "/srv/volumes2/a,         is not below /srv/volumes",
    "/srv/volumes/../b,       is not below /srv/volumes",
    "/srv/volumes/a/../../b,  is not below /srv/volumes",
    "/srv/volumes/./b,        is not below /srv/volumes",
    "a,                       is not below /srv/volumes",
    "/srv/volumes/.mooring/x, reserved",
  })
  void below_invalidPath_throws(String path, String message) {
    assertThatThrownBy(() -> RelativePath.below(Path.of("/srv/volumes"), Path.of(path)))
        .isInstanceOf(PathRejectedException.class)
        .hasMessageContaining(message);
  }
}
