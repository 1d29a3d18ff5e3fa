package dev.mooring.manager.console;

import dev.mooring.console.view.DataDanger;
import dev.mooring.explain.ClusterView;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.manager.danger.ClaimDanger;
import dev.mooring.manager.danger.ClusterContents;
import dev.mooring.manager.danger.ClusterIndex;
import dev.mooring.manager.danger.DangerAnalysis;
import dev.mooring.manager.danger.DangerText;
import dev.mooring.manager.endpoint.AnswerCache;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

// Thread-safe. The caches do not contain workloads, so pods count as pods without an owner.
final class ClaimDangers {
  private static final Duration LIFETIME = Duration.ofSeconds(30);
  private static final Duration BUDGET = Duration.ofMillis(500); // of a page; the next one has more
  private static final int MAX_CACHED = 10_000;

  private final ClusterView view;
  private final Compat compat;
  private final Duration deletionDelay;
  private final Time time;
  private final AnswerCache<String, ClusterIndex> indexes;
  private final AnswerCache<ObjectKey, Optional<DataDanger>> dangers;

  ClaimDangers(ClusterView view, Compat compat, Duration deletionDelay, Time time) {
    this.view = view;
    this.compat = compat;
    this.deletionDelay = deletionDelay;
    this.time = time;
    this.indexes = new AnswerCache<>(time, LIFETIME, 1);
    this.dangers = new AnswerCache<>(time, LIFETIME, MAX_CACHED);
  }

  Map<ObjectKey, DataDanger> of(List<ObjectKey> claims) {
    boolean isUnread =
        Stream.of(Kind.CLAIM, Kind.VOLUME, Kind.POD, Kind.STORAGE_CLASS)
            .anyMatch(kind -> view.readError(kind).isPresent());
    if (isUnread) {
      return Map.of();
    }
    long end = time.nanos() + BUDGET.toNanos();
    ClusterIndex index = indexes.<RuntimeException>get("", this::newIndex);
    Map<ObjectKey, DataDanger> found = new HashMap<>();
    for (ObjectKey key : claims) {
      if (time.nanos() >= end) {
        break;
      }
      dangers
          .<RuntimeException>get(key, () -> index.claim(key).flatMap(claim -> of(claim, index)))
          .ifPresent(danger -> found.put(key, danger));
    }
    return found;
  }

  private Optional<DataDanger> of(Claim claim, ClusterIndex index) {
    ForecastTerms terms = new ForecastTerms(compat, deletionDelay, time.now());
    ClaimDanger danger = new DangerAnalysis(index, terms).of(claim);
    return danger.volume().isEmpty()
        ? Optional.empty()
        : Optional.of(new DataDanger(DangerText.acts(danger), DangerText.sequence(danger)));
  }

  private ClusterIndex newIndex() {
    return new ClusterIndex(
        new ClusterContents(
            objects(Kind.CLAIM),
            objects(Kind.VOLUME),
            objects(Kind.POD),
            objects(Kind.STORAGE_CLASS),
            objects(Kind.NODE).stream().map(node -> node.meta().name()).sorted().toList(),
            Map.of(),
            Map.of()));
  }

  private <T extends Resource> List<T> objects(Kind<T> kind) {
    return view.informer(kind).snapshot().toList();
  }
}
