package dev.mooring.benchmarks;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.binder.state.VolumeReservations;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Step;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Question: what does one decision for a claim cost among 100,000 volumes and 100,000 pending
 * claims of any shape, and what does a new volume cost? Limit: 1 ms CPU time of the deciding thread
 * in 99.9 % of cases. Reference: the same with 1,000 of each. The table also prints the number of
 * steps, which is equal for all decisions of one shape. Each decision is measured several times and
 * the best time counts. The compiler, the garbage collector or another process can delay some fifty
 * decisions in a row.
 */
public final class DecisionBench {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final AccessModes ONCE = AccessModes.of("ReadWriteOnce");
  private static final double LIMIT_MICROS = 1000;
  private static final int SAMPLES = 5_000;
  private static final int TIMES = 3;

  private record ClaimShape(
      String name,
      IntFunction<Quantity> request,
      AccessModes modes,
      IntFunction<@Nullable LabelSelector> selector) {
    Claim claim(int i) {
      return DecisionBench.claim("evil", i, request.apply(i), modes, selector.apply(i));
    }
  }

  // CPU times in microseconds.
  private record DecisionCost(
      String title, int count, long steps, double median, double p999, double max) {
    static DecisionCost of(String title, int count, long steps, long[] nanos) {
      Arrays.sort(nanos);
      return new DecisionCost(
          title,
          count,
          steps,
          nanos[nanos.length / 2] / 1e3,
          nanos[(int) (nanos.length * 0.999)] / 1e3,
          nanos[nanos.length - 1] / 1e3);
    }
  }

  private static final ResultTable<DecisionCost> TABLE =
      new ResultTable<DecisionCost>()
          .column("shape", "%s", DecisionCost::title)
          .column("of each", "%d", DecisionCost::count)
          .column("steps", "%d", DecisionCost::steps)
          .column("median µs", "%.1f", DecisionCost::median)
          .column("p99.9 µs", "%.1f", DecisionCost::p999)
          .column("max µs", "%.1f", DecisionCost::max)
          .column("", "%s", cost -> cost.p999 <= LIMIT_MICROS ? "met" : "MISSED");

  private DecisionBench() {}

  private static List<ClaimShape> shapes() {
    Quantity small = Quantity.of("1Gi");
    return List.of(
        claimsWithSelector("a different label each", i -> labels(Map.of("id", "none-" + i))),
        claimsWithSelector(
            "labels without a match",
            i ->
                new LabelSelector(
                    Map.of("half", "a", "other", "a"),
                    List.of(new Requirement("x" + i, "DoesNotExist", List.of())))),
        claimsWithSelector(
            "a NotIn term that all match",
            i -> selectorWith(new Requirement("all", "NotIn", List.of("same", "x" + i)))),
        claimsWithSelector(
            "a hundred terms each",
            i ->
                new LabelSelector(
                    Map.of(),
                    IntStream.range(0, 100)
                        .mapToObj(n -> new Requirement("all", "NotIn", List.of("n" + i, "same")))
                        .toList())),
        new ClaimShape("a different size each", i -> Quantity.of(1000 + i + "Ti"), ONCE, i -> null),
        new ClaimShape(
            "other access modes", i -> small, AccessModes.of("ReadWriteMany"), i -> null),
        claimsWithSelector("one label that half share", i -> labels(Map.of("half", "a"))),
        new ClaimShape("plain claims", i -> small, ONCE, i -> null));
  }

  private static ClaimShape claimsWithSelector(
      String name, IntFunction<@Nullable LabelSelector> selector) {
    return new ClaimShape(name, i -> Quantity.of("1Gi"), ONCE, selector);
  }

  private static LabelSelector labels(Map<String, String> labels) {
    return new LabelSelector(labels, List.of());
  }

  private static LabelSelector selectorWith(Requirement requirement) {
    return new LabelSelector(Map.of(), List.of(requirement));
  }

  private static Claim claim(
      String namespace,
      int i,
      Quantity request,
      AccessModes modes,
      @Nullable LabelSelector selector) {
    ObjectKey key = ObjectKey.of(namespace, "c" + i);
    return new Claim(
        SampleObjects.meta(key, key.toString(), 1, Map.of()),
        modes,
        request,
        "",
        "",
        VolumeMode.FILESYSTEM,
        selector,
        "",
        false,
        null,
        new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));
  }

  private static Volume volume(int i) {
    return new Volume(
        new Meta(
            ObjectKey.cluster("v" + i),
            Uid.of("v" + i),
            1,
            i,
            0,
            Map.of("all", "same", "id", "v" + i, i % 2 == 0 ? "half" : "other", "a"),
            Map.of(),
            List.of()),
        Map.of("storage", Quantity.of(10 + i % 1000 + "Gi")),
        VolumeSource.NONE,
        ONCE,
        null,
        ReclaimPolicy.RETAIN,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.AVAILABLE, "", ""));
  }

  private static Step<ReservationResult> decide(VolumeReservations reservations, Claim claim) {
    ClaimView view =
        new ClaimView(
            claim,
            Optional.empty(),
            "",
            List.of(),
            new ClaimView.Provisioning.Unserved("not asked"),
            false);
    return reservations.decide(
        claim, volumes -> ClaimDecider.decide(view, volumes, BinderPolicy.DEFAULTS));
  }

  // Returns the best time of several measurements for each decision, in nanoseconds.
  private static long[] bestTimes(int count, IntConsumer action) {
    long[] best = new long[count];
    Arrays.fill(best, Long.MAX_VALUE);
    for (int time = 0; time < TIMES; time++) {
      for (int i = 0; i < count; i++) {
        long start = THREADS.getCurrentThreadCpuTime();
        action.accept(i);
        best[i] = Math.min(best[i], THREADS.getCurrentThreadCpuTime() - start);
      }
    }
    return best;
  }

  private static void decideAndRelease(VolumeReservations reservations, Claim claim) {
    if (decide(reservations, claim)
        instanceof
        Step.Decided<ReservationResult>(
            ReservationResult.Decided(ClaimDecision.Bind(Volume volume)))) {
      reservations.releaseVolume(volume.meta().name());
    }
  }

  private static Stream<DecisionCost> measure(ClaimShape shape, int count) {
    List<Claim> claims = IntStream.range(0, count).mapToObj(shape::claim).toList();
    return Stream.concat(
        measureDecisions(shape, claims), Stream.of(measureArrivals(shape, claims)));
  }

  private static Stream<DecisionCost> measureDecisions(ClaimShape shape, List<Claim> claims) {
    VolumeReservations reservations =
        new VolumeReservations(RequeueTarget.NONE, BinderPolicy.DEFAULTS);
    for (int i = 0; i < claims.size(); i++) {
      reservations.volumeChanged(new Change.Added<>(volume(i)));
    }
    claims.forEach(reservations::updateClaim);
    StepCounter steps = new StepCounter(reservations);
    AtomicInteger nextClaim = new AtomicInteger();
    long[] otherTimes =
        bestTimes(
            SAMPLES,
            i ->
                steps.countSteps(() ->
                    decideAndRelease(
                        reservations,
                        claim(
                            "good", nextClaim.incrementAndGet(), Quantity.of("1Gi"), ONCE, null))));
    long maxOtherSteps = steps.takeMaxSteps();
    long[] ownTimes =
        bestTimes(
            Math.min(claims.size(), SAMPLES),
            i -> steps.countSteps(() -> decideAndRelease(reservations, claims.get(i))));
    return Stream.of(
        DecisionCost.of(
            shape.name + ": claim of another shape", claims.size(), maxOtherSteps, otherTimes),
        DecisionCost.of(
            shape.name + ": claim of this shape", claims.size(), steps.takeMaxSteps(), ownTimes));
  }

  private static DecisionCost measureArrivals(ClaimShape shape, List<Claim> claims) {
    VolumeReservations reservedVolumes =
        new VolumeReservations(RequeueTarget.NONE, BinderPolicy.DEFAULTS);
    claims.forEach(claim -> decide(reservedVolumes, claim));
    StepCounter steps = new StepCounter(reservedVolumes);
    AtomicInteger nextVolume = new AtomicInteger();
    long[] arrivalTimes =
        bestTimes(
            SAMPLES,
            i ->
                steps.countSteps(() ->
                    reservedVolumes.volumeChanged(
                        new Change.Added<>(volume(nextVolume.incrementAndGet())))));
    return DecisionCost.of(
        shape.name + ": a volume arrives", claims.size(), steps.takeMaxSteps(), arrivalTimes);
  }

  private static final class StepCounter {
    private final VolumeReservations reservations;
    private long maxSteps;

    StepCounter(VolumeReservations reservations) {
      this.reservations = reservations;
    }

    void countSteps(Runnable decision) {
      long start = reservations.totalSteps();
      decision.run();
      maxSteps = Math.max(maxSteps, reservations.totalSteps() - start);
    }

    long takeMaxSteps() {
      long max = maxSteps;
      maxSteps = 0;
      return max;
    }
  }

  public static void main(String[] args) {
    for (int round = 0; round < 3; round++) {
      shapes().forEach(shape -> measure(shape, 2000));
    }
    TABLE.print(
        shapes().stream()
            .flatMap(shape -> Stream.concat(measure(shape, 1000), measure(shape, 100_000)))
            .toList());
  }
}
