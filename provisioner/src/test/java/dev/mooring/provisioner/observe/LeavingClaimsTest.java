package dev.mooring.provisioner.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.Given;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeavingClaimsTest {
  private static final Uid U = Uid.of("u");

  private final SimTime time = new SimTime();
  private final LeavingClaims leaving = new LeavingClaims(time);

  @Test
  void oneThatIsBeingDeletedWithoutAVolumeHadNone() {
    leaving.saw(Given.claim(Map.of(), ""));
    assertThat(leaving.hadNone(U)).isFalse();
    leaving.saw(Given.deleted(false));
    assertThat(leaving.hadNone(U)).isTrue();
    leaving.sawGone(Given.deleted(false));
    assertThat(leaving.hadNone(U)).isTrue();
  }

  /** Between two looks it was deleted, and given a volume that it was too late for. */
  @Test
  void oneThatWentWithoutAVolumeHadNoneEither() {
    leaving.sawGone(Given.claim(Map.of(), ""));
    assertThat(leaving.hadNone(U)).isTrue();
  }

  @Test
  void oneThatHadAVolumeHadOne() {
    leaving.sawGone(Given.boundTo("disk"));
    assertThat(leaving.hadNone(U)).isFalse();
  }

  @Test
  void itIsRememberedForAnHour() {
    leaving.sawGone(Given.claim(Map.of(), ""));
    time.advance(Duration.ofMinutes(61));
    leaving.sawGone(Given.boundTo("disk"));
    assertThat(leaving.hadNone(U)).isFalse();
  }
}
