package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.RequeuedKeys;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.state.VolumeReservations.ReservationResult;
import dev.mooring.informer.Change;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class ReservationsTest {
  private static final String[][] MODES = {
    {"ReadWriteOnce"},
    {"ReadOnlyMany"},
    {"ReadWriteOnce", "ReadOnlyMany"},
    {"ReadWriteOnce", "ReadWriteMany"},
    {"ReadWriteOncePod"}
  };

  private final RequeuedKeys requeued = new RequeuedKeys();
  private final VolumeReservations reservations =
      new VolumeReservations(requeued, BinderPolicy.DEFAULTS);

  private static Volume volume(
      String name,
      String size,
      String className,
      String[] modes,
      ClaimRef ref,
      VolumePhase phase,
      long created,
      Map<String, String> labels) {
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster(name))
            .uid("uid-" + name)
            .created(created)
            .labels(labels)
            .meta();
    return TestObjects.volume(meta)
        .capacity(Map.of("storage", Quantity.of(size)))
        .source(VolumeSource.nfs("s", "/"))
        .accessModes(AccessModes.of(modes))
        .claimRef(ref)
        .storageClass(className)
        .status(new Volume.Status(phase, "", ""))
        .build();
  }

  private static Volume free(String name, String size) {
    return volume(name, size, "", MODES[0], null, VolumePhase.AVAILABLE, 1, Map.of());
  }

  private static Claim claim(
      String name,
      String size,
      String className,
      String[] modes,
      LabelSelector selector,
      String volumeName) {
    Meta meta = TestObjects.metaOf(ObjectKey.of("ns", name)).uid("uid-" + name).created(1).meta();
    return TestObjects.claim(meta)
        .accessModes(AccessModes.of(modes))
        .request(Quantity.of(size))
        .storageClass(className)
        .volumeName(volumeName)
        .selector(selector)
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }

  private static Claim claimOfAnyVolume(String name, String size) {
    return claim(name, size, "", MODES[0], null, "");
  }

  /** The API server confirmed that the class does not exist. */
  private static LiveFacts withoutClass(Claim claim) {
    return LiveFacts.NONE.with(
        new Question.ObjectRead<>(Kind.STORAGE_CLASS, ObjectKey.cluster(claim.className())),
        new Fact.Absent<>());
  }

  private Optional<String> bind(Claim claim) {
    ClaimView view =
        new ClaimView(claim, Optional.empty(), "", List.of(), new Provisioning.Unserved(""), false)
            .with(withoutClass(claim));
    return switch (reservations.decide(
        claim, v -> ClaimDecider.decide(view, v, BinderPolicy.DEFAULTS))) {
      case Step.Decided<ReservationResult>(ReservationResult.Busy()) -> Optional.of("busy");
      case Step.Decided<ReservationResult>(
              ReservationResult.Decided(ClaimDecision.Bind(Volume volume))) ->
          Optional.of(volume.meta().name());
      case Step.Decided<ReservationResult> _, Step.Ask<ReservationResult> _ -> Optional.empty();
    };
  }

  private void add(Volume volume) {
    reservations.volumeChanged(new Change.Added<>(volume));
  }

  @Test
  void l1_oneVolume_hasOneReservation() {
    add(free("v", "1Gi"));
    assertThat(reservations.reserveForWrite("v")).isTrue();
    assertThat(reservations.reserveForWrite("v")).isFalse();
    assertThat(bind(claimOfAnyVolume("c", "1Gi"))).contains("busy");
    reservations.endWrite("v");
    assertThat(bind(claimOfAnyVolume("c", "1Gi"))).contains("v");
    assertThat(reservations.reserveForWrite("v")).isFalse();
  }

  @Test
  void l2_reservedVolume_isOfferedToNoOtherClaim() {
    add(free("small", "1Gi"));
    add(free("large", "2Gi"));
    assertThat(bind(claimOfAnyVolume("a", "1Gi"))).contains("small");
    assertThat(bind(claimOfAnyVolume("b", "1Gi"))).contains("large");
    assertThat(bind(claimOfAnyVolume("d", "1Gi"))).isEmpty();
    reservations.releaseVolume("small");
    assertThat(bind(claimOfAnyVolume("d", "1Gi"))).contains("small");
  }

  @Test
  void l2_concurrentClaims_neverGetTheSameVolume() throws InterruptedException {
    int count = 2000;
    for (int i = 0; i < count; i++) {
      add(free("v" + i, 1 + i % 7 + "Gi"));
    }
    ConcurrentLinkedQueue<String> boundVolumes = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int start = t * count / 8;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = start; i < start + count / 8; i++) {
                  bind(claimOfAnyVolume("c" + i, "1Gi")).ifPresent(boundVolumes::add);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(boundVolumes).hasSize(count).doesNotHaveDuplicates();
  }

  @Test
  void l3_claimThatFoundAVolumeReserved_isRequeuedOnRelease() {
    add(free("v", "1Gi"));
    reservations.reserveForWrite("v");
    bind(claimOfAnyVolume("c", "1Gi"));
    assertThat(requeued.claims()).isEmpty();
    reservations.endWrite("v");
    assertThat(requeued.claims()).containsExactly(ObjectKey.of("ns", "c"));
    bind(claimOfAnyVolume("c", "1Gi"));
    reservations.releaseVolume("v");
    assertThat(requeued.volumes()).containsExactly(ObjectKey.cluster("v"));
  }

  @Test
  void volumeChanged_newVolume_requeuesClaimsThatItSuits() {
    bind(claimOfAnyVolume("fits", "1Gi"));
    bind(claimOfAnyVolume("too-large", "5Gi"));
    bind(claim("other-class", "1Gi", "gold", MODES[0], null, ""));
    bind(
        claim(
            "other-labels",
            "1Gi",
            "",
            MODES[0],
            new LabelSelector(Map.of("a", "b"), List.of()),
            ""));
    bind(claim("by-name", "50Gi", "", MODES[0], null, "v"));
    add(free("v", "2Gi"));
    assertThat(requeued.claims())
        .containsExactlyInAnyOrder(ObjectKey.of("ns", "fits"), ObjectKey.of("ns", "by-name"));
  }

  @Test
  void volumeChanged_claimRefNamesClaim_requeuesIt() {
    bind(claimOfAnyVolume("c", "1Gi"));
    add(
        volume(
            "v",
            "1Gi",
            "",
            MODES[0],
            new ClaimRef(ObjectKey.of("ns", "c"), Uid.NONE),
            VolumePhase.AVAILABLE,
            1,
            Map.of()));
    assertThat(requeued.claims()).containsExactly(ObjectKey.of("ns", "c"));
  }

  /** Compares the matcher over the index with a literal search of all volumes. */
  @Test
  void decide_randomVolumes_equalsLiteralSearch() {
    int clusterCount = Integer.getInteger("mooring.oracle.worlds", 20_000);
    Random randomVolume = new Random(42);
    for (int w = 0; w < clusterCount; w++) {
      VolumeReservations fresh = new VolumeReservations(RequeueTarget.NONE, BinderPolicy.DEFAULTS);
      List<Volume> volumes = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (int i = randomVolume.nextInt(9); i >= 0; i--) {
        Volume volume = randomVolume(randomVolume, "v" + i);
        if (names.add(volume.meta().name())) {
          volumes.add(volume);
          fresh.volumeChanged(new Change.Added<>(volume));
        }
      }
      LabelSelector selector =
          randomVolume.nextInt(4) == 0 ? new LabelSelector(Map.of("l", "x"), List.of()) : null;
      Claim claim =
          claim(
              "c",
              1 + randomVolume.nextInt(4) + "Gi",
              randomVolume.nextBoolean() ? "" : "gold",
              MODES[randomVolume.nextInt(3)],
              selector,
              "");
      ClaimView view =
          new ClaimView(
                  claim, Optional.empty(), "", List.of(), new Provisioning.Unserved(""), false)
              .with(withoutClass(claim));
      Step<ReservationResult> reservation =
          fresh.decide(claim, v -> ClaimDecider.decide(view, v, BinderPolicy.DEFAULTS));
      Optional<String> chosenVolume =
          reservation
                  instanceof
                  Step.Decided<ReservationResult>(
                      ReservationResult.Decided(ClaimDecision.Bind(Volume volume)))
              ? Optional.of(volume.meta().name())
              : Optional.empty();
      assertThat(chosenVolume)
          .as("world %d: %s among %s", w, claim, volumes)
          .isEqualTo(expectedVolume(claim, volumes));
    }
  }

  private static Volume randomVolume(Random random, String name) {
    ClaimRef ref =
        switch (random.nextInt(6)) {
          case 0 ->
              new ClaimRef(
                  ObjectKey.of("ns", "c"),
                  random.nextBoolean() ? Uid.NONE : Uid.of(random.nextBoolean() ? "uid-c" : "old"));
          case 1 -> new ClaimRef(ObjectKey.of("ns", "d"), Uid.of("uid-d"));
          default -> null;
        };
    VolumePhase phase = random.nextInt(5) == 0 ? VolumePhase.RELEASED : VolumePhase.AVAILABLE;
    Map<String, String> labels = random.nextBoolean() ? Map.of("l", "x") : Map.of();
    return volume(
        name,
        1 + random.nextInt(4) + "Gi",
        random.nextInt(3) == 0 ? "gold" : "",
        MODES[random.nextInt(MODES.length)],
        ref,
        phase,
        random.nextInt(3),
        labels);
  }

  private static Optional<String> expectedVolume(Claim claim, List<Volume> volumes) {
    Comparator<Volume> order =
        Comparator.comparing(Volume::storage)
            .thenComparing(v -> v.meta().created())
            .thenComparing(v -> v.meta().name());
    Optional<Volume> reserved =
        volumes.stream()
            .filter(v ->
                v.claimRef() != null
                    && v.claimRef().isFor(claim.key(), claim.meta().uid())
                    && v.storage().covers(claim.request())
                    && v.accessModes().offers(claim.accessModes()))
            .min(order);
    Optional<Volume> free =
        volumes.stream()
            .filter(v ->
                v.claimRef() == null
                    && v.phase() == VolumePhase.AVAILABLE
                    && v.storage().covers(claim.request())
                    && v.storageClass().equals(claim.className()))
            .filter(v ->
                v.accessModes().offers(claim.accessModes())
                    && (claim.selector() == null || claim.selector().matches(v.meta().labels())))
            .min(order);
    // its reclaim ends with the phase Available
    boolean reclaimed =
        reserved
            .filter(v -> v.phase() == VolumePhase.RELEASED && v.claimRef().uid().isNone())
            .isPresent();
    return reclaimed ? Optional.empty() : reserved.or(() -> free).map(v -> v.meta().name());
  }
}
