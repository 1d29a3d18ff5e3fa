package dev.mooring.manager.explain;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.text.NameSuggestion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Finds the name that a misspelled name in an object may mean: of a class, volume, claim, driver or
 * provisioner. Belongs to one view. Not thread-safe.
 */
final class NameHints {
  private final ClusterView clusterView;
  private final Map<String, Set<String>> namesByKind = new HashMap<>();

  NameHints(ClusterView clusterView) {
    this.clusterView = clusterView;
  }

  Optional<NamedFact> find(Explanation e, Detail detail) {
    ObjectKey key = e.subject().key();
    return switch (e.cause().code()) {
      case "ClassMissing" ->
          get(Kind.CLAIM, key)
              .map(Claim::className)
              .flatMap(name -> suggest("class", name, this::classNames));
      case "VolumeMissing" ->
          detail == Detail.SUMMARY
              ? Optional.empty()
              : get(Kind.CLAIM, key)
                  .map(Claim::volumeName)
                  .flatMap(name -> suggest("pv", name, () -> names(Kind.VOLUME, "")));
      case "ClaimAbsent" -> findClaim(key, e.message());
      case "ProvisionerNotSeen", "ProvisionerUnknown" ->
          get(Kind.STORAGE_CLASS, key)
              .map(StorageClass::provisioner)
              .flatMap(name -> suggest("provisioner", name, this::provisionerNames));
      case "DriverAbsent" ->
          get(Kind.ATTACHMENT, key)
              .map(Attachment::attacher)
              .flatMap(name -> suggest("driver", name, this::driverNames));
      default -> Optional.empty();
    };
  }

  private <T extends Resource> Optional<T> get(Kind<T> kind, ObjectKey key) {
    return clusterView.informer(kind).get(key);
  }

  private Optional<NamedFact> findClaim(ObjectKey pod, String message) {
    Supplier<Set<String>> claims = () -> names(Kind.CLAIM, pod.namespace());
    return get(Kind.POD, pod).map(Pod::claims).stream()
        .flatMap(List::stream)
        .filter(claim -> message.endsWith(" " + claim) && !claims.get().contains(claim))
        .findFirst()
        .flatMap(claim -> suggest("pvc", claim, claims));
  }

  private static Optional<NamedFact> suggest(
      String kind, String name, Supplier<Set<String>> candidates) {
    return NameSuggestion.to(name, candidates.get())
        .filter(suggestion -> !suggestion.equals(name))
        .map(suggestion -> new NamedFact(NamedFact.HINT, kind, suggestion));
  }

  private Set<String> classNames() {
    return names(Kind.STORAGE_CLASS, "");
  }

  private Set<String> driverNames() {
    Set<String> names = new TreeSet<>(names(Kind.CSI_DRIVER, ""));
    for (CsiNode node : clusterView.informer(Kind.CSI_NODE).snapshot().objects()) {
      node.drivers().forEach(driver -> names.add(driver.name()));
    }
    return names;
  }

  private Set<String> provisionerNames() {
    Set<String> names = driverNames();
    names.addAll(clusterView.plugins().generations().keySet());
    return names;
  }

  private Set<String> names(Kind<?> kind, String namespace) {
    String cacheKey = kind + "/" + namespace;
    Set<String> cached = namesByKind.get(cacheKey);
    if (cached == null) {
      cached = new TreeSet<>();
      for (Resource object : clusterView.informer(kind).snapshot().objects()) {
        if (namespace.isEmpty() || object.key().namespace().equals(namespace)) {
          cached.add(object.key().name());
        }
      }
      namesByKind.put(cacheKey, cached);
    }
    return cached;
  }
}
