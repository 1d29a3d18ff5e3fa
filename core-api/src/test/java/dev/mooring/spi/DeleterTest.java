package dev.mooring.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeleterTest {
  private static Deleter.Request request(ObjectKey claim, String uid) {
    return Deleter.Request.of(TestObjects.volume("v").claimRef(claim, uid).build());
  }

  @Test
  void of_boundVolume_namesTheClaim() {
    ObjectKey claim = ObjectKey.of("ns", "c");
    assertThat(request(claim, "u").claim()).isEqualTo(claim);
  }

  /** The API server stores an empty claimRef, and one without a name. */
  @ParameterizedTest
  @CsvSource({"'', '', ''", "'', '', u", "ns, '', u", "'', c, u"})
  void of_claimRefWithoutClaim_namesNone(String namespace, String name, String uid) {
    assertThat(request(ObjectKey.of(namespace, name), uid).claim()).isNull();
  }
}
