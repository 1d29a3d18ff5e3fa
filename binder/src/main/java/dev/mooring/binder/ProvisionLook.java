package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.CodedNote;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.NodeVerdict;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.Trial;
import dev.mooring.binder.decide.Trials;
import dev.mooring.binder.execute.Refusals;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Sight;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.SavedDecider;
import dev.mooring.storage.decide.SavedVerdict;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Explains a claim for which a plugin provisions a volume, from the preceding decisions, a dry run
 * of the plugin and the events of earlier attempts.
 */
final class ProvisionLook {
  private final Sight sight;
  private final Policy policy;
  private final SeenObjects seen;

  ProvisionLook(Sight sight, Policy policy) {
    this.sight = sight;
    this.policy = policy;
    this.seen = new SeenObjects(sight);
  }

  ClaimAnswer of(ClaimView view, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    Claim claim = view.claim();
    ClaimAnswer answer = answer(view, storageClass, plugin, detail);
    return claim.meta().annotation(Marks.STORAGE_PROVISIONER).equals(plugin)
        ? answer
        : answer.marking(plugin);
  }

  private ClaimAnswer answer(
      ClaimView view, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    Claim claim = view.claim();
    SavedVerdict saved =
        LiveDecisions.decide(
            seen,
            LiveFacts.NONE,
            facts -> SavedDecider.isSaved(ProvisionDecider.volumeOf(claim), claim, facts));
    return switch (saved) {
      case SavedVerdict.Saved() -> made(view);
      case SavedVerdict.NameTaken(Volume by) -> taken(by);
      case SavedVerdict.CannotTell(String why) -> ClaimAnswer.cannotTell(why);
      case SavedVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
      case SavedVerdict.NotThere() -> {
        Optional<ClaimAnswer> noNode = lacksItsNode(claim);
        yield noNode.isPresent() ? noNode.get() : attempt(claim, storageClass, plugin, detail);
      }
    };
  }

  /** Explains a claim whose volume already exists. */
  private ClaimAnswer made(ClaimView view) {
    Volume volume =
        sight.informer(Kind.VOLUME).get(ProvisionDecider.volumeOf(view.claim())).orElseThrow();
    String failed =
        new Trials(view, policy)
            .of(volume).outcomes().stream()
                .filter(outcome -> !outcome.passed())
                .map(Trial.Outcome::note)
                .collect(Collectors.joining(", "));
    return ClaimAnswer.madeUnfit(volume.meta().name(), failed);
  }

  private static ClaimAnswer taken(Volume by) {
    ClaimRef ref = by.claimRef();
    return ClaimAnswer.misconfigured(
        Reason.VOLUME_NAME_TAKEN,
        "volume "
            + by.meta().name()
            + " exists, and "
            + (ref == null ? "has no claim" : "belongs to claim " + ref.claim()));
  }

  private Optional<ClaimAnswer> lacksItsNode(Claim claim) throws InterruptedException {
    NodeVerdict verdict =
        LiveDecisions.decide(seen, LiveFacts.NONE, facts -> ProvisionDecider.isThere(claim, facts));
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return switch (verdict) {
      case NodeVerdict.There() -> Optional.empty();
      case NodeVerdict.Gone() ->
          Optional.of(ClaimAnswer.withoutNode("node does not exist: " + node, "restore it, or "));
      case NodeVerdict.Impossible(String flaw) ->
          Optional.of(ClaimAnswer.withoutNode("the selected node cannot exist: " + flaw, ""));
      case NodeVerdict.CannotTell(String why) ->
          Optional.of(ClaimAnswer.cannotTell("node " + node + " could not be looked up: " + why));
      case NodeVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  /** Asks the plugin only in an explanation of one claim, not of thousands. */
  private ClaimAnswer attempt(Claim claim, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    if (detail == Detail.SUMMARY) {
      return ClaimAnswer.mayProvision(storageClass, plugin, "");
    }
    Optional<String> refusal = new Refusals(sight.plugins()).of(whole(claim), storageClass, plugin);
    if (refusal.isPresent()) {
      return ClaimAnswer.misconfigured(Reason.PLUGIN_REFUSED, refusal.get());
    }
    return switch (EarlierTries.of(sight, claim, Reason.PLUGIN_FAILED.event())) {
      case EarlierTries.None() -> ClaimAnswer.provision(storageClass, plugin);
      case EarlierTries.Reported(PastEvent last) -> reported(plugin, last.note());
      case EarlierTries.Unknown() ->
          ClaimAnswer.mayProvision(storageClass, plugin, EarlierTries.UNREAD);
    };
  }

  /**
   * A refusal is final: the plugin is called again when the claim, the class or the plugin changes.
   */
  private ClaimAnswer reported(String plugin, String note) {
    String told = CodedNote.withoutCode(note);
    return CodedNote.of(note).filter(why -> why == Reason.PLUGIN_REFUSED).isPresent()
        ? ClaimAnswer.misconfigured(Reason.PLUGIN_REFUSED, told)
        : ClaimAnswer.provisionAgain(plugin, told, policy);
  }

  /**
   * Returns the claim with the labels and annotations that caches do not keep, if it may be read.
   */
  private Claim whole(Claim claim) throws InterruptedException {
    return sight.reader().read(Kind.CLAIM, claim.key())
                instanceof ReadResult.Found<Claim>(Claim live)
            && live.meta().uid().equals(claim.meta().uid())
        ? claim.with(claim.meta().described(live.meta()))
        : claim;
  }
}
