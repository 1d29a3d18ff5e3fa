package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathPattern.Property;
import dev.mooring.spi.files.PathPattern.Syntax;
import dev.mooring.testkit.TestObjects;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses a syntax with angle brackets for labels and the volume's name. */
class PathPatternTest implements Syntax {
  private final Request request =
      TestObjects.provisionRequest("pvc-1")
          .claim(
              new ClaimInfo(
                  ObjectKey.of("ns", "c"),
                  Uid.of("u"),
                  Map.of("app", "web", "again", "<<app>>", "half", "<<", "empty", ""),
                  Map.of()))
          .build();

  @Override
  public String begin() {
    return "<<";
  }

  @Override
  public String end() {
    return ">>";
  }

  @Override
  public String knownPlaceholders() {
    return "<<volume>> and labels";
  }

  @Override
  public Optional<Property> property(String placeholder) {
    return switch (placeholder) {
      case "volume" -> Optional.of(Request::volumeName);
      case "", "<app" -> Optional.empty();
      default -> Optional.of(provisioned -> provisioned.claim().labels().get(placeholder));
    };
  }

  @ParameterizedTest
  @CsvSource({
    "plain,                   plain",
    "<<volume>>,              pvc-1",
    "a/<<app>>-<<volume>>/b,  a/web-pvc-1/b",
    "<<app>><<app>>,          webweb",
    "<<again>>,               <<app>>",
    "<<half>>app>>,           <<app>>",
    "a>>b<c,                  a>>b<c",
    "'',                      ''",
  })
  void resolve_values_insertsEachOnce(String text, String expected) throws PathRejectedException {
    PathPattern pattern = new PathPattern(text, this);
    pattern.check();
    assertThat(pattern.resolve(request)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "<<>>,             has the unknown placeholder <<>>; known placeholders: <<volume>> and labels",
    "<<app>>/<<>>,     has the unknown placeholder <<>>; known placeholders: <<volume>> and labels",
    "<<<app>>,         has the unknown placeholder <<<app>>; known placeholders: <<volume>> and labels",
    "x<<app,           has a << without its >>",
    "<<app>>/<<app>,   has a << without its >>",
  })
  void check_invalidPattern_throws(String text, String problem) {
    PathPattern pattern = new PathPattern(text, this);
    String message = "pathPattern \"" + text + "\" " + problem;
    assertThatThrownBy(pattern::check)
        .isInstanceOf(PathRejectedException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> pattern.resolve(request))
        .isInstanceOf(PathRejectedException.class)
        .hasMessage(message);
  }

  @Test
  void resolve_missingValue_throws() throws PathRejectedException {
    for (String label : new String[] {"none", "empty"}) {
      PathPattern pattern = new PathPattern("a/<<" + label + ">>", this);
      pattern.check();
      assertThatThrownBy(() -> pattern.resolve(request))
          .isInstanceOf(PathRejectedException.class)
          .hasMessage(
              "pathPattern \"a/<<%1$s>>\" needs <<%1$s>>, which claim ns/c does not have: add it to the claim"
                  .formatted(label));
    }
  }
}
