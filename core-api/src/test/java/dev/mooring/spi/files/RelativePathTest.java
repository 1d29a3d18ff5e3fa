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
  private static RelativePath path(String text) throws PathRefused {
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
  void whatLeadsNowhereElseIsAPathAsItStands(String text) throws Exception {
    assertThat(path(text)).hasToString(text).isEqualTo(path(text)).hasSameHashCodeAs(path(text));
  }

  static Stream<Arguments> whatIsRefused() {
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
        Arguments.of("a\u0000b", "not to be printed"),
        Arguments.of("a\nb", "not to be printed"),
        Arguments.of("a\u007fb", "not to be printed"),
        Arguments.of("a\u0085b", "not to be printed"),
        Arguments.of("a\u202eb", "not to be printed"),
        Arguments.of("a\u200bb", "not to be printed"),
        Arguments.of("a\u2028b", "not to be printed"),
        Arguments.of("a\u2029b", "not to be printed"),
        Arguments.of("a\uD800", "not to be printed"),
        Arguments.of("a\u0378", "not to be printed"),
        Arguments.of("a".repeat(256), "has an element of more than 255 bytes"),
        Arguments.of("\u00e4".repeat(128), "has an element of more than 255 bytes"),
        Arguments.of("a/".repeat(512) + "a", "is longer than 1024 bytes"),
        Arguments.of(".mooring", "has the element \".mooring\", which is the plugin's own"),
        Arguments.of(".MOORING/volumes", "the plugin's own"),
        Arguments.of("below/.mooring/volumes", "the plugin's own"),
        Arguments.of(".mooring-new-x", "the plugin's own"),
        Arguments.of("below/.Mooring-New-x/y", "the plugin's own"));
  }

  @ParameterizedTest
  @MethodSource
  void whatIsRefused(String text, String why) {
    assertThatThrownBy(() -> path(text))
        .isInstanceOf(PathRefused.class)
        .hasMessageStartingWith("the directory \"")
        .hasMessageContaining(why);
  }

  /** What earlier versions have made is still to be measured and removed. */
  @ParameterizedTest
  @ValueSource(
      strings = {"ns/.mooring", "ns/.MOORING/x", "ns/.mooring-new-x", ".mooring-new-x", "a/b"})
  void whatMayBeThereAlreadyIsAPath(String text) throws Exception {
    assertThat(RelativePath.existing(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {".mooring", ".Mooring/volumes", "", "/a", "a/../b", "a//b", "a\nb"})
  void whatIsTheTreesOwnWasNeverAVolumes(String text) {
    assertThatThrownBy(() -> RelativePath.existing(text)).isInstanceOf(PathRefused.class);
  }

  @Test
  void whatIsAsLongAsItMayBe() throws Exception {
    assertThat(path("a".repeat(255)).name()).hasSize(255);
    assertThat(path("a/".repeat(511) + "ab").elements()).hasSize(512);
  }

  /** A message goes to logs, events and terminals. */
  @Test
  void aRefusalShowsNothingThatMayNotBePrintedAndNotTooMuch() {
    assertThatThrownBy(() -> path("a\n\u202e\uD800b"))
        .hasMessage(
            "the directory \"a\uFFFD\uFFFD\uFFFDb\" has characters that are not to be printed");
    assertThatThrownBy(() -> path("\uD83D\uDE00".repeat(500)))
        .hasMessage(
            "the directory \"" + "\uD83D\uDE00".repeat(60) + "...\" is longer than 1024 bytes");
  }

  @Test
  void aNameIsOneElement() throws Exception {
    assertThat(RelativePath.element("pvc-1")).isEqualTo("pvc-1");
    assertThatThrownBy(() -> RelativePath.element("a/b"))
        .isInstanceOf(PathRefused.class)
        .hasMessage("the directory \"a/b\" is more than a name");
    assertThatThrownBy(() -> RelativePath.element("..")).isInstanceOf(PathRefused.class);
    assertThatThrownBy(() -> RelativePath.element("")).isInstanceOf(PathRefused.class);
  }

  @Test
  void whatLeadsThereAndWhoMeets() throws Exception {
    assertThat(path("a/b/c").ancestors()).containsExactly(path("a"), path("a/b"));
    assertThat(path("a").ancestors()).isEmpty();
    assertThat(path("a/b").meets(path("a"))).isTrue();
    assertThat(path("a").meets(path("a/b"))).isTrue();
    assertThat(path("a/b").meets(path("a/c"))).isFalse();
    assertThat(path("a/b").meets(path("a/bc"))).isFalse();
    assertThat(path("ns/c/x").startsWith("ns", "c")).isTrue();
    assertThat(path("ns/c").startsWith("ns", "c")).isTrue();
    assertThat(path("ns/cc").startsWith("ns", "c")).isFalse();
    assertThat(path("ns").startsWith("ns", "c")).isFalse();
  }

  @Test
  void whatAnAdministratorsPathSaysBeyondARoot() throws Exception {
    Path root = Path.of("/srv/volumes");
    assertThat(RelativePath.below(root, Path.of("/srv/volumes/a/b"))).isEqualTo(path("a/b"));
    assertThat(RelativePath.below(Path.of("/"), Path.of("/a"))).isEqualTo(path("a"));
  }

  @Test
  void anAdministratorsPathMayHaveWhatIsNotToBePrinted() throws Exception {
    assumeTrue(
        Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode('\u200c'),
        "skipped: names cannot have such characters here");
    Path root = Path.of("/srv/volumes");
    assertThat(RelativePath.below(root, root.resolve("a\u200cb")).name()).hasSize(3);
  }

  /** Such names become others when they are read, and would lead elsewhere. */
  @Test
  void aNameThatHasNoCharactersIsRefused(@TempDir Path root) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "mkdir \"$0/$(printf 'a\\377')\"", root.toString()).start();
    assumeTrue(process.waitFor() == 0, "skipped: names have characters alone here");
    try (Stream<Path> all = Files.list(root)) {
      Path made = all.findFirst().orElseThrow();
      assertThatThrownBy(() -> RelativePath.below(root, made))
          .isInstanceOf(PathRefused.class)
          .hasMessageContaining("has a name that has no characters on this platform");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/srv/volumes,            does not lie below /srv/volumes",
    "/srv,                    does not lie below /srv/volumes",
    "/srv/volumes2/a,         does not lie below /srv/volumes",
    "/srv/volumes/../b,       does not lie below /srv/volumes",
    "/srv/volumes/a/../../b,  does not lie below /srv/volumes",
    "/srv/volumes/./b,        does not lie below /srv/volumes",
    "a,                       does not lie below /srv/volumes",
    "/srv/volumes/.mooring/x, the plugin's own",
  })
  void whatDoesNotLieBelowARoot(String other, String why) {
    assertThatThrownBy(() -> RelativePath.below(Path.of("/srv/volumes"), Path.of(other)))
        .isInstanceOf(PathRefused.class)
        .hasMessageContaining(why);
  }
}
