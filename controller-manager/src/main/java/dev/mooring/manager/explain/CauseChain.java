package dev.mooring.manager.explain;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.informer.IndexSet;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Extends an explanation beyond its object. Adds the cause of the class that a claim waits for, or
 * of the attachment that a pod waits for. Also adds plugins that were not loaded, pods that wait
 * for a claim, and hints at misspelled names. Belongs to one view. Not thread-safe.
 */
final class CauseChain {
  @FunctionalInterface
  interface ObjectExplainer {
    List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException;
  }

  private static final int MAX_PODS = 10;

  private static final Set<String> CAUSED_BY_CLASS =
      Set.of("ExternalProvisioner", "ProvisionerUnknown", "WaitsForScheduling");

  private static final Set<String> CAUSED_BY_ATTACHMENT =
      Set.of("Attaching", "AttachFailed", "MultiAttach");

  private static final Set<String> CAUSED_BY_PLUGIN =
      Set.of("ProvisionerUnknown", "ProvisionerNotSeen", "NoDeleter");

  private final ClusterView clusterView;
  private final ObjectExplainer explainer;
  private final NameHints hints;
  private final Map<String, Optional<Explanation>> classes = new HashMap<>();

  CauseChain(ClusterView clusterView, ObjectExplainer explainer) {
    this.clusterView = clusterView;
    this.explainer = explainer;
    this.hints = new NameHints(clusterView);
  }

  /**
   * Extends an explanation.
   *
   * @param requestedKind kind of the requested object: under a pod, its claim does not list it
   *     again
   */
  Explanation extend(Explanation e, Kind<?> requestedKind, Detail detail)
      throws InterruptedException {
    if (!e.isWaiting() || e.cause().rank() == CauseRank.UNKNOWN) {
      return e;
    }
    List<NamedFact> pods = requestedKind.equals(Kind.POD) ? List.of() : findWaitingPods(e);
    Explanation withEvidence = addEvidence(e, pods, detail);
    Optional<Explanation> next =
        e.subject().kind().equals(Kind.CLAIM)
            ? findClassCause(e)
            : e.subject().kind().equals(Kind.POD) ? findAttachmentCause(e) : Optional.empty();
    return next.isPresent()
        ? withEvidence.withEvidence(withEvidence.evidence().withBecause(List.of(next.get())))
        : withEvidence;
  }

  private Explanation addEvidence(Explanation e, List<NamedFact> pods, Detail detail) {
    List<NamedFact> facts = new ArrayList<>();
    hints.find(e, detail).ifPresent(facts::add);
    facts.addAll(pods);
    facts.addAll(e.evidence().facts());
    List<String> errors = new ArrayList<>(e.evidence().errors());
    if (CAUSED_BY_PLUGIN.contains(e.cause().code())) {
      clusterView.plugins().loadFailures().forEach(failure -> errors.add("not loaded: " + failure));
    }
    return e.withEvidence(e.evidence().withFacts(facts).withErrors(errors));
  }

  private List<NamedFact> findWaitingPods(Explanation e) {
    ObjectKey key = e.subject().key();
    Optional<Claim> claim =
        e.subject().kind().equals(Kind.CLAIM)
            ? clusterView.informer(Kind.CLAIM).get(key)
            : Optional.empty();
    if (claim.isEmpty()
        || claim.get().phase() == ClaimPhase.BOUND
        || e.cause().code().equals("WaitsForScheduling")) { // its message names the pods
      return List.of();
    }
    Set<String> pods = new TreeSet<>();
    for (Pod pod : clusterView.informer(Kind.POD).findByIndex(IndexSet.PODS_BY_CLAIM, key)) {
      if (pod.nodeName().isEmpty() && !pod.isTerminated()) {
        pods.add(pod.meta().name());
      }
    }
    List<NamedFact> facts = new ArrayList<>();
    pods.stream()
        .limit(MAX_PODS)
        .forEach(pod -> facts.add(new NamedFact(NamedFact.WAITING_PODS, pod, "not scheduled")));
    if (pods.size() > MAX_PODS) {
      facts.add(
          new NamedFact(
              NamedFact.WAITING_PODS,
              "and " + (pods.size() - MAX_PODS) + " more",
              "in all " + pods.size()));
    }
    return facts;
  }

  private Optional<Explanation> findClassCause(Explanation e) throws InterruptedException {
    if (!CAUSED_BY_CLASS.contains(e.cause().code())) {
      return Optional.empty();
    }
    Optional<String> name =
        clusterView
            .informer(Kind.CLAIM)
            .get(e.subject().key())
            .map(Claim::className)
            .filter(className -> !className.isEmpty());
    return name.isEmpty() ? Optional.empty() : explainClass(name.get());
  }

  private Optional<Explanation> explainClass(String name) throws InterruptedException {
    Optional<Explanation> cached = classes.get(name);
    if (cached == null) {
      cached = findCause(Kind.STORAGE_CLASS, ObjectKey.cluster(name));
      if (cached.isPresent()) {
        cached = Optional.of(addEvidence(cached.get(), List.of(), Detail.SUMMARY));
      }
      classes.put(name, cached);
    }
    return cached;
  }

  private Optional<Explanation> findCause(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return explainer.explain(kind, key).stream()
        .filter(e -> e.isWaiting() && e.cause().rank() != CauseRank.UNKNOWN)
        .min(Explanation.PRECEDENCE);
  }

  private Optional<Explanation> findAttachmentCause(Explanation e) throws InterruptedException {
    Optional<Pod> pod = clusterView.informer(Kind.POD).get(e.subject().key());
    String volume = e.nextStep().target();
    if (!CAUSED_BY_ATTACHMENT.contains(e.cause().code()) || pod.isEmpty() || volume.isEmpty()) {
      return Optional.empty();
    }
    boolean isElsewhere = e.cause().code().equals("MultiAttach");
    for (Attachment attachment : clusterView.informer(Kind.ATTACHMENT).snapshot().objects()) {
      if (attachment.volumeName().equals(volume)
          && attachment.nodeName().equals(pod.get().nodeName()) != isElsewhere) {
        Optional<Explanation> cause = findCause(Kind.ATTACHMENT, attachment.key());
        if (cause.isPresent()) {
          return cause
              .filter(c -> !c.cause().code().equals(e.cause().code()))
              .map(c -> addEvidence(c, List.of(), Detail.SUMMARY));
        }
      }
    }
    return Optional.empty();
  }
}
