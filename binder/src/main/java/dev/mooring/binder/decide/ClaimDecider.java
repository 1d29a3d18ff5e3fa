package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ClaimDecision.AwaitCache;
import dev.mooring.binder.decide.ClaimDecision.Bind;
import dev.mooring.binder.decide.ClaimDecision.ContinueSearch;
import dev.mooring.binder.decide.ClaimDecision.Contradiction;
import dev.mooring.binder.decide.ClaimDecision.HandOver;
import dev.mooring.binder.decide.ClaimDecision.Leave;
import dev.mooring.binder.decide.ClaimDecision.MarkLost;
import dev.mooring.binder.decide.ClaimDecision.Provision;
import dev.mooring.binder.decide.ClaimDecision.RefuseDataSource;
import dev.mooring.binder.decide.ClaimDecision.Reselect;
import dev.mooring.binder.decide.ClaimDecision.TakeDefaultClass;
import dev.mooring.binder.decide.ClaimDecision.Unknown;
import dev.mooring.binder.decide.ClaimDecision.Wait;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.live.Fact;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Decides the next step for a claim. Ids in comments are the scenario ids of this package. */
public final class ClaimDecider {
  public static final List<Kind<?>> ASKED_KINDS = List.of(Kind.VOLUME, Kind.STORAGE_CLASS);

  private static final Leave LEAVE = new Leave(Reason.BEING_DELETED);

  private ClaimDecider() {}

  public static Step<ClaimDecision> decide(
      ClaimView view, VolumeCatalogue volumes, BinderPolicy policy) {
    Claim claim = view.claim();
    if (claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)) {
      return decideBound(view, volumes, policy);
    }
    return claim.volumeName().isEmpty()
        ? decideUnnamed(view, volumes, policy)
        : decideNamed(view, volumes, policy);
  }

  private static Step<ClaimDecision> decideUnnamed(
      ClaimView view, VolumeCatalogue volumes, BinderPolicy policy) {
    Claim claim = view.claim();
    MatchSubject subject = new MatchSubject(claim, policy);
    if (claim.meta().isBeingDeleted()) {
      Optional<Volume> ownVolume = findOwnVolume(subject, volumes);
      if (ownVolume.isPresent()) {
        return Step.decided(bind(claim, ownVolume.get()));
      }
      return policy.compat().isKubernetes()
          ? decideWithoutMatch(view, policy)
          : Step.decided(LEAVE); // a binding would be lost with the claim
    }
    return switch (policy.order().findBest(subject, view.isDelayed(), volumes)) {
      case VolumeCatalogue.SearchResult.Found(Volume match)
          when AvailabilityRule.isReserved(claim, match) ->
          Step.decided(bind(claim, match)); // U3: in any binding mode of its class
      case VolumeCatalogue.SearchResult.Found(Volume match) ->
          checkUnknownClass(view).orElseGet(() -> Step.decided(bind(claim, match))); // U3
      case VolumeCatalogue.SearchResult.Unfinished _ -> Step.decided(new ContinueSearch());
      case VolumeCatalogue.SearchResult.Nothing _ -> decideWithoutMatch(view, policy);
    };
  }

  private static Step<ClaimDecision> decideWithoutMatch(ClaimView view, BinderPolicy policy) {
    return checkUnknownClass(view).orElseGet(() -> Step.decided(decideUnmatched(view, policy)));
  }

  private static ClaimDecision decideUnmatched(ClaimView view, BinderPolicy policy) {
    Claim claim = view.claim();
    if (claim.storageClass() == null && !view.defaultClass().isEmpty()) {
      return new TakeDefaultClass(view.defaultClass()); // U4
    }
    if (view.isDelayed() && !claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)) {
      return waitForConsumer(view); // U6
    }
    if (view.isNodeGone() && !claim.className().isEmpty() && !policy.compat().isKubernetes()) {
      return new Reselect(claim.meta().annotation(BinderMarks.SELECTED_NODE));
    }
    if (!claim.className().isEmpty()) {
      return provision(view, policy); // U7
    }
    return new Wait(
        Reason.NO_VOLUME,
        "no persistent volumes available for this claim and no storage class is set",
        true); // U8
  }

  /**
   * Returns a step if it is unknown whether the class binds immediately. A class missing from the
   * cache may use WaitForFirstConsumer. Empty if the class is known, or the API server has none of
   * that name.
   */
  private static Optional<Step<ClaimDecision>> checkUnknownClass(ClaimView view) {
    String name = view.claim().className();
    if (name.isEmpty() || view.storageClass().isPresent()) {
      return Optional.empty();
    }
    Question.ObjectRead<StorageClass> question =
        new Question.ObjectRead<>(Kind.STORAGE_CLASS, ObjectKey.cluster(name));
    String description = "class \"" + name + "\"";
    return answerTo(view, question) instanceof Fact.Absent<StorageClass>
        ? Optional.empty()
        : Optional.of(decideLive(view, question, description, _ -> new AwaitCache(description)));
  }

  /**
   * Decides by the API server's answer.
   *
   * @param decider gets the object, or nothing if it is absent
   */
  private static <T extends Resource> Step<ClaimDecision> decideLive(
      ClaimView view,
      Question.ObjectRead<T> question,
      String description,
      Function<Optional<T>, ClaimDecision> decider) {
    return switch (answerTo(view, question)) {
      case Fact.NotAsked<T> _ -> Step.ask(question);
      case Fact.Absent<T> _ -> Step.decided(decider.apply(Optional.empty()));
      case Fact.Present<T>(T object) -> Step.decided(decider.apply(Optional.of(object)));
      case Fact.Unknown<T>(String message) ->
          Step.decided(new Unknown(description + " could not be read: " + message));
    };
  }

  private static Step<ClaimDecision> decideLive(
      ClaimView view, Function<Optional<Volume>, ClaimDecision> decider) {
    String name = view.claim().volumeName();
    return decideLive(
        view,
        new Question.ObjectRead<>(Kind.VOLUME, ObjectKey.cluster(name)),
        describeVolume(name),
        decider);
  }

  private static String describeVolume(String name) {
    return "volume \"" + name + "\"";
  }

  // an object with an invalid name cannot exist; treat it as absent without a request
  private static <T extends Resource> Fact<T> answerTo(
      ClaimView view, Question.ObjectRead<T> question) {
    return question.key().flaw().isEmpty() ? view.live().of(question) : new Fact.Absent<>();
  }

  private static Optional<Volume> findOwnVolume(MatchSubject subject, VolumeCatalogue volumes) {
    Claim claim = subject.claim();
    for (Volume volume : volumes.reservedFor(claim.key())) {
      if (AvailabilityRule.isOwn(claim, volume)
          && FitCheck.mismatchOfReserved(subject, volume).isEmpty()) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  /**
   * Waits while a volume of an earlier claim may still be scrubbed or deleted. Setting its phase to
   * Available requeues the claim.
   */
  private static ClaimDecision bind(Claim claim, Volume volume) {
    return AvailabilityRule.isReclaimedForAnother(claim, volume)
        ? new Leave(Reason.VOLUME_BEING_RECLAIMED)
        : new Bind(volume);
  }

  private static ClaimDecision waitForConsumer(ClaimView view) {
    return switch (view.waitingPods().size()) {
      case 0 ->
          new Wait(
              Reason.WAITS_FOR_CONSUMER,
              "waiting for first consumer to be created before binding",
              true);
      case 1 ->
          new Wait(
              Reason.WAITS_FOR_SCHEDULING,
              "waiting for pod " + view.waitingPods().getFirst() + " to be scheduled",
              true);
      default ->
          new Wait(
              Reason.WAITS_FOR_SCHEDULING,
              "waiting for pods " + String.join(",", view.waitingPods()) + " to be scheduled",
              true);
    };
  }

  private static ClaimDecision provision(ClaimView view, BinderPolicy policy) {
    Claim claim = view.claim();
    if (!policy.provisioning()) {
      String message =
          "dynamic provisioning is switched off (--enable-dynamic-provisioning=false) and no volume fits";
      return policy.compat().isKubernetes()
          ? new Wait(Reason.SILENT, "", false)
          : new Wait(Reason.PROVISIONING_OFF, message, false);
    }
    if (view.storageClass().isEmpty()) {
      String message = "storageclass.storage.k8s.io \"" + claim.className() + "\" not found";
      return new Wait(Reason.CLASS_MISSING, message, false);
    }
    StorageClass storageClass = view.storageClass().get();
    return switch (view.provisioning()) {
      case Provisioning.ByPlugin(String name) when claim.hasDataSource() ->
          new RefuseDataSource(
              name,
              "plugin \""
                  + name
                  + "\" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource");
      case Provisioning.ByPlugin(String name) -> new Provision(storageClass, name);
      case Provisioning.ByOthers(String name) -> new HandOver(storageClass, name);
      case Provisioning.Unserved _
          when !policy.compat().isKubernetes()
              && storageClass.provisioner().equals(BinderMarks.NO_PROVISIONER) ->
          new Wait(
              Reason.CLASS_IS_STATIC,
              "class \""
                  + claim.className()
                  + "\" does not provision, and none of its volumes suits the claim",
              true);
      case Provisioning.Unserved(String reason) ->
          new Wait(Reason.PROVISIONER_UNKNOWN, reason, false);
    };
  }

  private static Step<ClaimDecision> decideNamed(
      ClaimView view, VolumeCatalogue volumes, BinderPolicy policy) {
    Claim claim = view.claim();
    Optional<Volume> volume = volumes.find(claim.volumeName());
    if (claim.meta().isBeingDeleted()
        && volume.filter(v -> AvailabilityRule.isOwn(claim, v)).isEmpty()) {
      return Step.decided(LEAVE);
    }
    if (volume.isPresent()) {
      return Step.decided(decideNamed(claim, volume.get(), policy));
    }
    return policy.compat().isKubernetes()
        ? Step.decided(new Wait(Reason.SILENT, "", true))
        : decideLive(view, live -> decideMissing(claim, live)); // U9
  }

  private static ClaimDecision decideNamed(Claim claim, Volume volume, BinderPolicy policy) {
    MatchSubject subject = new MatchSubject(claim, policy);
    ClaimRef ref = volume.claimRef();
    if (ref == null || (!policy.compat().isKubernetes() && ref.isEmpty())) {
      return bindIfFits(FitCheck.mismatchOfNamed(subject, volume), claim, volume); // U10, U11
    }
    if (ref.isFor(claim.key(), claim.meta().uid())) {
      // U12: both sides name each other. Kubernetes checks nothing then; Mooring checks unless the
      // binding has begun
      return policy.compat().isKubernetes() || !ref.uid().isNone()
          ? bind(claim, volume)
          : bindIfFits(FitCheck.mismatchOfReserved(subject, volume), claim, volume);
    }
    String message = describeVolume(claim.volumeName()) + " already bound to a different claim.";
    return policy.compat().isKubernetes()
            && claim.meta().hasAnnotation(BinderMarks.BOUND_BY_CONTROLLER)
        ? new Contradiction(Reason.VOLUME_TAKEN, message)
        : new Wait(Reason.VOLUME_TAKEN, message, true); // U14, U13
  }

  /**
   * The claim cache may be ahead of the volume cache: only the API server can confirm that the
   * volume is missing.
   */
  private static ClaimDecision decideMissing(Claim claim, Optional<Volume> live) {
    String volume = describeVolume(claim.volumeName());
    return live.isPresent()
        ? new AwaitCache(volume)
        : new Wait(Reason.VOLUME_MISSING, volume + " does not exist", true);
  }

  private static ClaimDecision bindIfFits(
      Optional<FitCheck.FitMismatch> mismatch, Claim claim, Volume volume) {
    return mismatch.isEmpty()
        ? bind(claim, volume)
        : new Wait(
            mismatch.get().reason(),
            "Cannot bind to requested volume \""
                + volume.meta().name()
                + "\": "
                + mismatch.get().message(),
            true);
  }

  /**
   * Marks no claim Lost before the API server has confirmed it: Lost is final for the claim's data.
   */
  private static Step<ClaimDecision> decideBound(
      ClaimView view, VolumeCatalogue volumes, BinderPolicy policy) {
    Claim claim = view.claim();
    String name = claim.volumeName();
    if (name.isEmpty()) {
      return Step.decided(
          new MarkLost(
              Reason.REFERENCE_LOST,
              "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!")); // B1
    }
    ClaimDecision cachedDecision = decideBoundTo(volumes.find(name), claim, policy);
    return cachedDecision instanceof MarkLost && claim.phase() != ClaimPhase.LOST
        ? decideLive(
            view,
            live ->
                decideBoundTo(live, claim, policy) instanceof MarkLost lost
                    ? lost
                    : new AwaitCache(describeVolume(name)))
        : Step.decided(cachedDecision);
  }

  private static ClaimDecision decideBoundTo(
      Optional<Volume> volume, Claim claim, BinderPolicy policy) {
    if (volume.isEmpty()) {
      return new MarkLost(
          Reason.VOLUME_LOST,
          "Bound claim has lost its PersistentVolume. Data on the volume is lost!"); // B2
    }
    ClaimRef ref = volume.get().claimRef();
    if (ref == null || (!policy.compat().isKubernetes() && ref.isEmpty())) {
      return claim.meta().isBeingDeleted() ? LEAVE : bindAgain(claim, volume.get(), policy); // B3
    }
    if (AvailabilityRule.isOwn(claim, volume.get())) {
      return new Bind(volume.get()); // B4
    }
    return markMisbound(claim, volume.get(), ref, policy); // B5
  }

  private static MarkLost markMisbound(
      Claim claim, Volume volume, ClaimRef ref, BinderPolicy policy) {
    String message = "Two claims are bound to the same volume, this one is bound incorrectly";
    if (!ref.claim().equals(claim.key())) {
      return new MarkLost(Reason.MISBOUND, message);
    }
    String uids =
        ": the claimRef of volume \"%s\" has %s, the claim has uid %s"
            .formatted(
                volume.meta().name(),
                ref.uid().isNone() ? "no uid" : "uid " + ref.uid(),
                claim.meta().uid());
    return new MarkLost(
        Reason.CLAIM_UID_DIFFERS, policy.compat().isKubernetes() ? message : message + uids);
  }

  /**
   * A bound claim whose volume has an empty claimRef or was created again. Kubernetes binds any
   * volume of that name; Mooring checks whether it can be the claim's own.
   */
  private static ClaimDecision bindAgain(Claim claim, Volume volume, BinderPolicy policy) {
    if (policy.compat().isKubernetes()) {
      return bind(claim, volume);
    }
    Optional<FitCheck.FitMismatch> mismatch =
        FitCheck.mismatchOfOwn(new MatchSubject(claim, policy), volume);
    return mismatch.isEmpty()
        ? bind(claim, volume)
        : new MarkLost(
            Reason.NO_LONGER_FITS,
            "Bound claim has lost its PersistentVolume: a volume \""
                + volume.meta().name()
                + "\" is there, but "
                + mismatch.get().message());
  }
}
