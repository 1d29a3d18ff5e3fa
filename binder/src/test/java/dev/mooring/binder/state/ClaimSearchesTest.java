package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.MatchSubject;
import dev.mooring.binder.decide.VolumeCatalogue.SearchResult;
import dev.mooring.binder.state.StepBudget.StepCounter;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares searches that take many decisions with brute force over random small worlds. */
class ClaimSearchesTest {
  private static final int WORLDS = Integer.getInteger("mooring.oracle.worlds", 20_000);
  private static final Comparator<Volume> BEST_FIRST =
      Comparator.comparing(Volume::storage)
          .thenComparing(v -> v.meta().created())
          .thenComparing(v -> v.meta().name());
  private static final List<AccessModes> MODES =
      List.of(
          AccessModes.of("ReadWriteOnce"),
          AccessModes.of("ReadOnlyMany"),
          AccessModes.of("ReadWriteOnce", "ReadOnlyMany"),
          AccessModes.of("ReadWriteMany", "ReadWriteOnce"));
  private static final List<Map<String, String>> LABELS =
      List.of(
          Map.of(),
          Map.of("tier", "gold"),
          Map.of("tier", "iron"),
          Map.of("tier", "gold", "zone", "a"),
          Map.of("tier", "iron", "zone", "b"));
  private static final List<LabelSelector> SELECTORS =
      List.of(
          new LabelSelector(Map.of("tier", "gold"), List.of()),
          new LabelSelector(Map.of("tier", "iron", "zone", "a"), List.of()),
          new LabelSelector(
              Map.of(), List.of(new Requirement("tier", "NotIn", List.of("gold", "tin")))),
          new LabelSelector(Map.of(), List.of(new Requirement("zone", "DoesNotExist", List.of()))),
          new LabelSelector(Map.of(), List.of(new Requirement("zone", "Exists", List.of()))),
          new LabelSelector(
              Map.of(), List.of(new Requirement("tier", "In", List.of("gold", "x")))));

  private final Random random = new Random(7);

  private <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private Volume volume(int i) {
    return TestObjects.volume(ObjectKey.cluster("v" + i))
        .uid("v" + i)
        .created(random.nextInt(2))
        .labels(pick(LABELS))
        .capacity(Map.of("storage", Quantity.of(1 + random.nextInt(4) + "Gi")))
        .accessModes(pick(MODES))
        .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
        .build();
  }

  private Claim claim() {
    return TestObjects.claim(ObjectKey.of("ns", "c"))
        .uid("c")
        .created(1)
        .accessModes(pick(MODES))
        .request(Quantity.of(1 + random.nextInt(4) + "Gi"))
        .storageClass("")
        .selector(random.nextInt(5) == 0 ? null : pick(SELECTORS))
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }

  private static boolean suits(Claim claim, Volume volume) {
    return volume.storage().covers(claim.request())
        && volume.accessModes().offers(claim.accessModes())
        && (claim.selector() == null || claim.selector().matches(volume.meta().labels()));
  }

  /** Returns Kubernetes' tiers, or all sets of access modes in one. */
  private static List<List<Integer>> tiers(MatchKey key, boolean together) {
    return together
        ? List.of(key.offeringModeSets())
        : key.offeringModeSets().stream().map(List::of).toList();
  }

  private static Optional<Volume> expectedVolume(
      Claim claim, List<Volume> volumes, List<List<Integer>> tiers) {
    return tiers.stream()
        .flatMap(tier ->
            volumes.stream()
                .filter(v -> tier.contains(v.accessModes().mask()) && suits(claim, v))
                .min(BEST_FIRST)
                .stream())
        .findFirst();
  }

  @Test
  void search_inParts_equalsCompleteSearch() {
    for (int world = 0; world < WORLDS; world++) {
      VolumeIndex index = new VolumeIndex();
      List<Volume> volumes = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        volumes.add(volume(i));
        index.add(volumes.getLast());
      }
      Claim claim = claim();
      MatchKey key = MatchKey.of(new MatchSubject(claim, BinderPolicy.DEFAULTS));
      List<List<Integer>> tiers = tiers(key, random.nextBoolean());
      ClaimSearches searches = new ClaimSearches(index, 1 + random.nextInt(5), new StepCounter());
      SearchResult result = searches.search(claim, key, tiers);
      for (int calls = 0; result instanceof SearchResult.Unfinished; calls++) {
        assertThat(calls).as("world %d", world).isLessThan(100);
        result = searches.search(claim, key, tiers);
      }
      Optional<Volume> foundVolume =
          result instanceof SearchResult.Found(Volume volume)
              ? Optional.of(volume)
              : Optional.empty();
      assertThat(foundVolume)
          .as("world %d", world)
          .isEqualTo(expectedVolume(claim, volumes, tiers));
    }
  }

  /**
   * Volumes are added, changed and deleted between the parts. A suitable volume is found in the
   * end, and it suits and exists.
   */
  @Test
  void search_volumesChangeMeanwhile_missesNone() {
    for (int world = 0; world < WORLDS; world++) {
      VolumeIndex index = new VolumeIndex();
      List<Volume> volumes = new ArrayList<>();
      Claim claim = claim();
      MatchKey key = MatchKey.of(new MatchSubject(claim, BinderPolicy.DEFAULTS));
      List<List<Integer>> tiers = tiers(key, random.nextBoolean());
      ClaimSearches searches = new ClaimSearches(index, 1 + random.nextInt(3), new StepCounter());
      SearchResult result = new SearchResult.Unfinished();
      for (int change = random.nextInt(20); change > 0; change--) {
        switch (random.nextInt(4)) {
          case 0 -> {
            if (!volumes.isEmpty()) {
              index.remove(volumes.remove(random.nextInt(volumes.size())));
            }
          }
          case 1, 2 -> {
            volumes.add(volume(change));
            index.add(volumes.getLast());
          }
          default -> result = searches.search(claim, key, tiers);
        }
      }
      do {
        result = searches.search(claim, key, tiers);
      } while (result instanceof SearchResult.Unfinished);
      if (result instanceof SearchResult.Found(Volume volume)) {
        assertThat(volumes).contains(volume);
        assertThat(suits(claim, volume)).isTrue();
      } else {
        assertThat(expectedVolume(claim, volumes, tiers)).as("world %d", world).isEmpty();
      }
    }
  }
}
