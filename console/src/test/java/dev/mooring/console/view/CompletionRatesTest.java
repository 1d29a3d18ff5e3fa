package dev.mooring.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.SampleObjects;
import dev.mooring.console.view.CompletionRates.Event;
import dev.mooring.console.view.CompletionRates.Rate;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CompletionRatesTest {
  private final SimTime time = new SimTime();
  private final CompletionRates rates = new CompletionRates(time);

  private static Claim claim(ClaimPhase phase) {
    return SampleObjects.claim("shop", "data", 1, phase);
  }

  private void recordBind() {
    rates.claimChanged(new Change.Updated<>(claim(ClaimPhase.PENDING), claim(ClaimPhase.BOUND)));
  }

  private Rate boundRate() {
    return Objects.requireNonNull(rates.read().get(Event.BOUND));
  }

  @Test
  void read_boundClaims_areCountedForOneAndTenMinutes() {
    time.advance(Duration.ofHours(3));
    recordBind();
    recordBind();
    assertThat(boundRate()).isEqualTo(new Rate(2, 2));
    time.advance(Duration.ofSeconds(50));
    recordBind();
    assertThat(boundRate()).isEqualTo(new Rate(3, 3));
    time.advance(Duration.ofSeconds(15));
    assertThat(boundRate()).isEqualTo(new Rate(1, 3));
    time.advance(Duration.ofMinutes(9));
    assertThat(boundRate()).as("the first two have expired").isEqualTo(new Rate(0, 1));
    time.advance(Duration.ofDays(2));
    assertThat(boundRate()).isEqualTo(new Rate(0, 0));
  }

  @Test
  void read_claimsThatWereAlreadyBound_areNotCounted() {
    rates.claimChanged(new Change.Updated<>(claim(ClaimPhase.BOUND), claim(ClaimPhase.BOUND)));
    rates.claimChanged(new Change.Added<>(claim(ClaimPhase.BOUND)));
    rates.claimChanged(new Change.Deleted<>(claim(ClaimPhase.BOUND), false));
    assertThat(boundRate()).isEqualTo(new Rate(0, 0));
    assertThat(rates.read()).hasSize(3);
  }
}
