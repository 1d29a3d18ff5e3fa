package dev.mooring.populator.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulationDecision.AddFinalizer;
import dev.mooring.populator.decide.PopulationDecision.Await;
import dev.mooring.populator.decide.PopulationDecision.CallPopulator;
import dev.mooring.populator.decide.PopulationDecision.CheckAgain;
import dev.mooring.populator.decide.PopulationDecision.CreatePrime;
import dev.mooring.populator.decide.PopulationDecision.DeletePod;
import dev.mooring.populator.decide.PopulationDecision.ForgetNode;
import dev.mooring.populator.decide.PopulationDecision.Leave;
import dev.mooring.populator.decide.PopulationDecision.PassNode;
import dev.mooring.populator.decide.PopulationDecision.Reselect;
import dev.mooring.populator.decide.PopulationDecision.RestartPod;
import dev.mooring.populator.decide.PopulationDecision.Unanswered;
import dev.mooring.populator.decide.PopulationDecision.Wait;
import dev.mooring.storage.decide.GrantRules;
import java.util.List;
import java.util.Optional;

/**
 * Decides the next step of a population. The finalizer is written first and removed last, so that
 * no prime claim or pod is forgotten after a crash.
 */
public final class PopulationDecider {
  private static final Leave LEAVE = new Leave();
  private static final String IN_TREE = "kubernetes.io/";

  private PopulationDecider() {}

  public static Step<PopulationDecision> decide(PopulationView view, LiveFacts live) {
    Optional<Claim> claim = view.claim().filter(c -> c.meta().uid().equals(view.uid()));
    if (view.settings().namespace().isEmpty()) {
      return Step.decided(claim.map(c -> decideWithoutNamespace(view, c)).orElse(LEAVE));
    }
    if (claim.isEmpty()) {
      return CleanupDecider.removeOrphan(view, live);
    }
    Claim target = claim.get();
    boolean isLeft = !PopulatorMarks.isHeld(target) && view.ownPrime().isEmpty();
    if (target.meta().isBeingDeleted()) {
      return isLeft ? Step.decided(LEAVE) : CleanupDecider.end(view, target, live);
    }
    if (!target.volumeName().isEmpty()) {
      return isLeft ? Step.decided(LEAVE) : CleanupDecider.endBound(view, target, live);
    }
    return fill(view, target, live);
  }

  private static PopulationDecision decideWithoutNamespace(PopulationView view, Claim claim) {
    boolean isWaiting = claim.volumeName().isEmpty() && !claim.meta().isBeingDeleted();
    return isWaiting && view.settings().isServed() || PopulatorMarks.isHeld(claim)
        ? new Wait(
            PopulationReason.POPULATOR_NAMESPACE_MISSING,
            "set --populator-namespace to the namespace of prime claims and populator pods")
        : LEAVE;
  }

  private static Step<PopulationDecision> fill(PopulationView view, Claim claim, LiveFacts live) {
    DataSourceRef source = claim.dataSourceRef();
    if (source == null || !view.settings().isServed()) {
      return Step.decided(LEAVE);
    }
    Optional<PopulationDecision> obstacle = findObstacle(view, claim);
    if (obstacle.isPresent()) {
      return Step.decided(obstacle.get());
    }
    return requireGrant(view, claim, source, live)
        .flatMap(refusal -> {
          if (refusal.isPresent()) {
            return Step.decided(refusal.get());
          }
          return PopulatorMarks.isHeld(claim)
              ? decidePrime(view, claim, live)
              : Step.decided(new AddFinalizer(claim));
        });
  }

  private static Optional<PopulationDecision> findObstacle(PopulationView view, Claim claim) {
    if ("".equals(claim.storageClass())) {
      return Optional.of(
          new Wait(
              PopulationReason.POPULATION_WITHOUT_CLASS,
              "create the claim again with a storageClassName"));
    }
    if (view.storageClass().isEmpty()) {
      return view.ownPrime().isPresent()
          ? Optional.empty() // the volume no longer needs the class
          : Optional.of(LEAVE); // the class may be created, or a default class be set
    }
    StorageClass storageClass = view.storageClass().get();
    if (storageClass.provisioner().startsWith(IN_TREE)
        && CsiMigration.driverOf(storageClass.provisioner()).isEmpty()) {
      return Optional.of(
          new Wait(
              PopulationReason.POPULATION_OF_IN_TREE_CLASS,
              "provisioner %s of class %s is in-tree"
                  .formatted(storageClass.provisioner(), storageClass.meta().name())));
    }
    boolean waitsForNode =
        waitsForConsumer(view)
            && claim.meta().annotation(PopulatorMarks.SELECTED_NODE).isEmpty()
            && view.prime().isEmpty();
    return waitsForNode ? Optional.of(LEAVE) : Optional.empty();
  }

  private static boolean waitsForConsumer(PopulationView view) {
    return view.storageClass()
        .filter(c -> c.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
        .isPresent();
  }

  private static Step<Optional<PopulationDecision>> requireGrant(
      PopulationView view, Claim claim, DataSourceRef source, LiveFacts live) {
    String namespace = source.key(claim.key().namespace()).namespace();
    if (namespace.equals(claim.key().namespace())) {
      return Step.decided(Optional.empty());
    }
    if (!view.settings().acrossNamespaces()) {
      return Step.decided(
          Optional.of(
              new Wait(
                  PopulationReason.DATA_SOURCE_ACROSS_NAMESPACES,
                  "the data source is in namespace %s: start Mooring with --feature-gates=CrossNamespaceVolumeDataSource=true"
                      .formatted(namespace))));
    }
    Question<List<ReferenceGrant>> grants =
        new Question.NamespaceList<>(ReferenceGrant.KIND, namespace);
    return switch (live.of(grants)) {
      case Fact.NotAsked<List<ReferenceGrant>> _ -> Step.ask(grants);
      case Fact.Unknown<List<ReferenceGrant>>(String message) ->
          Step.decided(Optional.of(new Unanswered("reading ReferenceGrants: " + message)));
      case Fact.Absent<List<ReferenceGrant>> _ ->
          Step.decided(Optional.of(refuse(claim, source, namespace)));
      case Fact.Present<List<ReferenceGrant>>(List<ReferenceGrant> found) ->
          Step.decided(
              GrantRules.isAllowed(source, claim.key().namespace(), found)
                  ? Optional.empty()
                  : Optional.of(refuse(claim, source, namespace)));
    };
  }

  private static PopulationDecision refuse(Claim claim, DataSourceRef source, String namespace) {
    return new Wait(
        PopulationReason.DATA_SOURCE_NOT_GRANTED,
        "create a ReferenceGrant in namespace %s that lets claims of namespace %s refer to %s %s"
            .formatted(namespace, claim.key().namespace(), source.kindName(), source.name()));
  }

  private static Step<PopulationDecision> decidePrime(
      PopulationView view, Claim claim, LiveFacts live) {
    if (view.prime().isEmpty()) {
      return CleanupDecider.removePod(
          view,
          () ->
              Step.decided(
                  new CreatePrime(
                      claim,
                      waitsForConsumer(view)
                          ? claim.meta().annotation(PopulatorMarks.SELECTED_NODE)
                          : "")));
    }
    if (view.ownPrime().isEmpty()) {
      return Step.decided(
          new Wait(
              PopulationReason.PRIME_CLAIM_NAME_TAKEN,
              "delete claim %s, which another program created".formatted(view.primeKey())));
    }
    Claim prime = view.ownPrime().get();
    if (prime.meta().isBeingDeleted()) {
      return CleanupDecider.removePod(
          view, () -> Step.decided(new Await(PopulationReason.POPULATION_CLEANUP)));
    }
    return switch (prime.phase()) {
      case LOST -> decideLost(view, claim, prime, live);
      case BOUND -> decideBoundPrime(view, claim, prime, live);
      case PENDING, UNSET -> Step.decided(decideUnbound(view, claim, prime));
    };
  }

  private static PopulationDecision decideUnbound(PopulationView view, Claim claim, Claim prime) {
    boolean needsNode =
        waitsForConsumer(view)
            && prime.volumeName().isEmpty()
            && prime.meta().annotation(PopulatorMarks.SELECTED_NODE).isEmpty();
    String selectedNode = claim.meta().annotation(PopulatorMarks.SELECTED_NODE);
    // The provisioner removes the node from the prime claim if it cannot provision there.
    String rejectedNode = prime.meta().annotation(PopulatorMarks.ON_NODE);
    if (!needsNode || selectedNode.isEmpty() && rejectedNode.isEmpty()) {
      return new Await(PopulationReason.PRIME_CLAIM_UNBOUND);
    }
    if (selectedNode.isEmpty()) {
      return new ForgetNode(prime); // the scheduler may have no other node
    }
    return selectedNode.equals(rejectedNode)
        ? new Reselect(claim)
        : new PassNode(prime, selectedNode);
  }

  private static Step<PopulationDecision> decideLost(
      PopulationView view, Claim claim, Claim prime, LiveFacts live) {
    return RebindDecider.askVolume(prime, live)
        .flatMap(volume ->
            switch (volume) {
              case Fact.Present<Volume>(Volume found) ->
                  Step.decided(
                      isBoundTo(found, claim.meta().uid())
                          ? new Await(PopulationReason.POPULATED_VOLUME_UNBOUND)
                          : waitForTakenVolume(found));
              case Fact.Absent<Volume> _ ->
                  CleanupDecider.remove(view, () -> Step.decided(LEAVE)); // starts again
              case Fact.Unknown<Volume>(String message) ->
                  Step.decided(new Unanswered("reading the prime claim's volume: " + message));
              case Fact.NotAsked<Volume> _ ->
                  throw new IllegalStateException("the volume was asked for");
            });
  }

  private static Step<PopulationDecision> decideBoundPrime(
      PopulationView view, Claim claim, Claim prime, LiveFacts live) {
    if (view.volume().isEmpty()) {
      return Step.decided(new Await(PopulationReason.PRIME_CLAIM_UNBOUND));
    }
    Volume volume = view.volume().get();
    if (isBoundTo(volume, claim.meta().uid())) {
      return Step.decided(new Await(PopulationReason.POPULATED_VOLUME_UNBOUND));
    }
    if (!isBoundTo(volume, prime.meta().uid())) {
      return Step.decided(waitForTakenVolume(volume));
    }
    return switch (view.pod()) {
      case Fact.Unknown<FillPod>(String message) ->
          Step.decided(new Unanswered("reading the populator pod: " + message));
      case Fact.Present<FillPod>(FillPod pod) -> decidePod(view, claim, prime, pod, live);
      case Fact.Absent<FillPod> _, Fact.NotAsked<FillPod> _ when view.isFilled() ->
          RebindDecider.decide(claim, prime, live);
      case Fact.Absent<FillPod> _, Fact.NotAsked<FillPod> _ ->
          Step.decided(
              view.restartDelay().isPositive()
                  ? new CheckAgain(PopulationReason.POPULATING, view.restartDelay())
                  : new CallPopulator(claim, prime, volume));
    };
  }

  private static Step<PopulationDecision> decidePod(
      PopulationView view, Claim claim, Claim prime, FillPod pod, LiveFacts live) {
    if (!pod.belongsTo(view.key())) {
      return Step.decided(
          new Wait(
              PopulationReason.POPULATOR_POD_NAME_TAKEN,
              "delete pod %s, which another program created".formatted(pod.key())));
    }
    if (pod.isBeingDeleted()) {
      return Step.decided(
          new CheckAgain(PopulationReason.POPULATION_CLEANUP, CleanupDecider.delayFor(view, pod)));
    }
    if (!pod.primeUid().equals(prime.meta().uid())) {
      return Step.decided(new DeletePod(pod)); // it filled another volume
    }
    return switch (pod.phase()) {
      case SUCCEEDED -> RebindDecider.decide(claim, prime, live);
      case FAILED -> Step.decided(new RestartPod(claim, pod));
      case UNSET, PENDING, RUNNING ->
          Step.decided(
              new CheckAgain(PopulationReason.POPULATING, CleanupDecider.delayFor(view, pod)));
    };
  }

  private static PopulationDecision waitForTakenVolume(Volume volume) {
    return new Wait(
        PopulationReason.POPULATED_VOLUME_TAKEN,
        "volume %s no longer belongs to the prime claim: delete the prime claim"
            .formatted(volume.meta().name()));
  }

  static boolean isBoundTo(Volume volume, Uid claim) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.uid().equals(claim);
  }
}
