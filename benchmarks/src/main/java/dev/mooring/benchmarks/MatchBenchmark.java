package dev.mooring.benchmarks;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Question: what does it cost to find and reserve a volume for a claim, and does the cost depend on
 * the number of volumes? Limit: 5 µs among 100,000, at most twice the cost among 1,000.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchBenchmark {
  @Param({"1000", "10000", "100000"})
  private int volumes;

  private final VolumeReservations reservations =
      new VolumeReservations(RequeueTarget.NONE, BinderPolicy.DEFAULTS);
  private Claim[] claims = {};
  private int next;

  @Setup
  public void fill() {
    for (int i = 0; i < volumes; i++) {
      reservations.volumeChanged(new Change.Added<>(SampleObjects.volume(i)));
    }
    claims = new Claim[1000];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = SampleObjects.claim((int) ((long) i * volumes / claims.length));
    }
  }

  @Benchmark
  public Step<ReservationResult> match() {
    next = next + 1 < claims.length ? next + 1 : 0;
    Claim claim = claims[next];
    ClaimView view =
        new ClaimView(claim, Optional.empty(), "", List.of(), new Provisioning.Unserved(""), false)
            .with(
                LiveFacts.NONE.with(
                    new Question.ObjectRead<>(
                        Kind.STORAGE_CLASS, ObjectKey.cluster(claim.className())),
                    new Fact.Absent<>()));
    Step<ReservationResult> step =
        reservations.decide(
            claim, volumes -> ClaimDecider.decide(view, volumes, BinderPolicy.DEFAULTS));
    if (step
        instanceof
        Step.Decided<ReservationResult>(
            ReservationResult.Decided(ClaimDecision.Bind(Volume volume)))) {
      reservations.releaseVolume(volume.meta().name());
    }
    return step;
  }
}
