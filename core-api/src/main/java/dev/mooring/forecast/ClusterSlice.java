package dev.mooring.forecast;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** A few objects of a cluster. Immutable; the objects of each kind are sorted by key. */
public record ClusterSlice(
    SortedMap<ObjectKey, Claim> claims,
    SortedMap<ObjectKey, Volume> volumes,
    SortedMap<ObjectKey, Pod> pods,
    SortedMap<ObjectKey, StorageClass> classes) {
  public static final ClusterSlice EMPTY =
      new ClusterSlice(
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap());

  /** Returns a slice with the object, which replaces an object of the same kind and key. */
  public ClusterSlice with(Resource object) {
    return switch (object) {
      case Claim claim -> withClaims(replace(claims, claim));
      case Volume volume -> withVolumes(replace(volumes, volume));
      case Pod pod -> withPods(replace(pods, pod));
      case StorageClass storageClass -> withClasses(replace(classes, storageClass));
      default -> throw new IllegalArgumentException("no kind of a slice: " + object.key());
    };
  }

  public ClusterSlice without(Resource object) {
    return switch (object) {
      case Claim claim -> withClaims(remove(claims, claim));
      case Volume volume -> withVolumes(remove(volumes, volume));
      case Pod pod -> withPods(remove(pods, pod));
      case StorageClass storageClass -> withClasses(remove(classes, storageClass));
      default -> throw new IllegalArgumentException("no kind of a slice: " + object.key());
    };
  }

  private ClusterSlice withClaims(SortedMap<ObjectKey, Claim> changed) {
    return new ClusterSlice(changed, volumes, pods, classes);
  }

  private ClusterSlice withVolumes(SortedMap<ObjectKey, Volume> changed) {
    return new ClusterSlice(claims, changed, pods, classes);
  }

  private ClusterSlice withPods(SortedMap<ObjectKey, Pod> changed) {
    return new ClusterSlice(claims, volumes, changed, classes);
  }

  private ClusterSlice withClasses(SortedMap<ObjectKey, StorageClass> changed) {
    return new ClusterSlice(claims, volumes, pods, changed);
  }

  private static <T extends Resource> SortedMap<ObjectKey, T> replace(
      SortedMap<ObjectKey, T> objects, T object) {
    TreeMap<ObjectKey, T> changed = new TreeMap<>(objects);
    changed.put(object.key(), object);
    return Collections.unmodifiableSortedMap(changed);
  }

  private static <T extends Resource> SortedMap<ObjectKey, T> remove(
      SortedMap<ObjectKey, T> objects, T object) {
    TreeMap<ObjectKey, T> changed = new TreeMap<>(objects);
    changed.remove(object.key());
    return Collections.unmodifiableSortedMap(changed);
  }

  public Optional<Claim> claim(ObjectKey key) {
    return Optional.ofNullable(claims.get(key));
  }

  public Optional<Volume> volume(String name) {
    return Optional.ofNullable(volumes.get(ObjectKey.cluster(name)));
  }

  public Optional<StorageClass> storageClass(String name) {
    return Optional.ofNullable(classes.get(ObjectKey.cluster(name)));
  }

  /** Returns the claim that the volume's claimRef names, whatever its uid. */
  public Optional<Claim> claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Optional.empty() : claim(ref.claim());
  }

  public List<Pod> podsNaming(ObjectKey claim) {
    return pods.values().stream()
        .filter(pod ->
            pod.key().namespace().equals(claim.namespace()) && pod.claims().contains(claim.name()))
        .toList();
  }

  /** Takes a decision. The slice answers the questions, as an API server with these objects. */
  public <D> D decide(Function<LiveFacts, ? extends Step<D>> decider) {
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      switch (decider.apply(facts)) {
        case Step.Decided<D>(D decision) -> {
          return decision;
        }
        case Step.Ask<D>(List<Question<?>> questions) -> {
          for (Question<?> question : questions) {
            facts = answer(facts, question);
          }
        }
      }
    }
  }

  private LiveFacts answer(LiveFacts facts, Question<?> question) {
    return switch (question) {
      case Question.ObjectRead<?> read -> answerRead(facts, read);
      case Question.NamespaceList<?> list -> answerList(facts, list);
    };
  }

  private <T extends Resource> LiveFacts answerRead(
      LiveFacts facts, Question.ObjectRead<T> question) {
    Optional<T> found =
        Optional.ofNullable(objects(question.kind().type()).get(question.key()))
            .map(question.kind().type()::cast);
    return facts.with(question, found.<Fact<T>>map(Fact.Present::new).orElseGet(Fact.Absent::new));
  }

  private <T extends Resource> LiveFacts answerList(
      LiveFacts facts, Question.NamespaceList<T> question) {
    List<T> found = new ArrayList<>();
    objects(question.kind().type())
        .forEach((key, object) -> {
          if (key.namespace().equals(question.namespace())) {
            found.add(question.kind().type().cast(object));
          }
        });
    return facts.with(question, new Fact.Present<>(List.copyOf(found)));
  }

  private SortedMap<ObjectKey, ? extends Resource> objects(Class<?> type) {
    if (type == Claim.class) {
      return claims;
    }
    if (type == Volume.class) {
      return volumes;
    }
    if (type == Pod.class) {
      return pods;
    }
    return type == StorageClass.class ? classes : Collections.emptySortedMap();
  }
}
