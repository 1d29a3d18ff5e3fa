package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.StorageClass.Binding;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;

/** Rows of claims and volumes with the expected decision. */
abstract class ClaimDeciderFixture {
  static final BinderPolicy KCM = new BinderPolicy(Compat.KUBERNETES, true);

  record Row(
      String name,
      Claim claim,
      List<Volume> volumes,
      BinderPolicy policy,
      Provisioning provisioning,
      Binding binding,
      List<String> pods,
      String defaultClass,
      String expected) {
    Row policy(BinderPolicy p) {
      return new Row(name, claim, volumes, p, provisioning, binding, pods, defaultClass, expected);
    }

    Row by(Provisioning p) {
      return new Row(name, claim, volumes, policy, p, binding, pods, defaultClass, expected);
    }

    Row delayed(String... waiting) {
      return new Row(
          name,
          claim,
          volumes,
          policy,
          provisioning,
          Binding.WAIT_FOR_FIRST_CONSUMER,
          List.of(waiting),
          defaultClass,
          expected);
    }

    Row noClass() {
      return new Row(
          name, claim, volumes, policy, provisioning, Binding.UNSET, pods, defaultClass, expected);
    }

    Row byDefault(String className) {
      return new Row(
          name, claim, volumes, policy, provisioning, binding, pods, className, expected);
    }
  }

  static Row row(String name, Claim claim, List<Volume> volumes, String expected) {
    return new Row(
        name,
        claim,
        volumes,
        BinderPolicy.DEFAULTS,
        new Provisioning.Unserved("no plugin"),
        Binding.IMMEDIATE,
        List.of(),
        "",
        expected);
  }

  static DynamicTest test(Row row) {
    return DynamicTest.dynamicTest(
        row.name(), () -> assertThat(describe(decide(row))).isEqualTo(row.expected()));
  }

  static String describe(ClaimDecision decision) {
    return switch (decision) {
      case ClaimDecision.ContinueSearch() -> "search on";
      case ClaimDecision.Bind(Volume volume) -> "bind " + volume.meta().name();
      case ClaimDecision.TakeDefaultClass(String name) -> "class " + name;
      case ClaimDecision.Provision(StorageClass c, String plugin) -> "provision " + plugin;
      case ClaimDecision.HandOver(StorageClass c, String provisioner) -> "hand over " + provisioner;
      case ClaimDecision.Reselect(String node) -> "reselect " + node;
      case ClaimDecision.Wait(Reason reason, String message, boolean pending) ->
          "wait " + reason + (pending ? " pending" : "");
      case ClaimDecision.Leave(Reason reason) -> "leave " + reason;
      case ClaimDecision.RefuseDataSource(String plugin, String message) -> "refuse copy " + plugin;
      case ClaimDecision.MarkLost(Reason reason, String message) -> "lost " + reason;
      case ClaimDecision.Contradiction(Reason reason, String message) -> "contradiction " + reason;
      case ClaimDecision.AwaitCache(String missingObject) -> "await " + missingObject;
      case ClaimDecision.Unknown(String reason) -> "unknown";
    };
  }

  static ClaimDecision decide(Row row) {
    String className = row.claim.className();
    Meta meta = TestObjects.metaOf(ObjectKey.cluster(className)).uid(Uid.NONE).created(1).meta();
    Optional<StorageClass> storageClass =
        className.isEmpty() || row.binding == Binding.UNSET
            ? Optional.empty()
            : Optional.of(
                TestObjects.storageClass(meta).provisioner("p").binding(row.binding).build());
    ClaimView view =
        new ClaimView(row.claim, storageClass, row.defaultClass, row.pods, row.provisioning, false);
    ListCatalogue volumes = new ListCatalogue(row.volumes, row.policy);
    LiveServer server = new LiveServer();
    row.volumes.forEach(volume -> server.withObject(Kind.VOLUME, volume));
    try {
      return LiveDecisions.decide(
          server.ports(),
          LiveFacts.NONE,
          facts -> ClaimDecider.decide(view.with(facts), volumes, row.policy));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
