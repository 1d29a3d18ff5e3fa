package dev.mooring.apiserver.kinds.apps;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.storage.ClaimStrategy;
import java.util.List;

public class AppsStrategy extends WorkloadStrategy {
  private AppsStrategy(String kindName, String messageName) {
    super(kindName, messageName);
  }

  @Override
  public MetadataChecks getMetadataChecks() {
    return MetadataChecks.CHANGE_ONLY;
  }

  public static final class StatefulSetStrategy extends AppsStrategy {
    private static final List<String> MUTABLE_FIELDS =
        List.of(
            """
            replicas ordinals template updateStrategy revisionHistoryLimit
            persistentVolumeClaimRetentionPolicy minReadySeconds
            """
                .split("\\s+"));

    public StatefulSetStrategy() {
      super("statefulsets.apps", "StatefulSet");
    }

    @Override
    public void setDefaults(JsonObject object) {
      super.setDefaults(object);
      JsonObject spec = getOrAddChild(object, "spec");
      if (valueAt(spec, "volumeClaimTemplates") instanceof JsonArray claims) {
        for (JsonElement claimElement : claims) {
          JsonObject claim = claimElement.getAsJsonObject();
          claim.addProperty("kind", "PersistentVolumeClaim");
          claim.addProperty("apiVersion", "v1");
          ClaimStrategy.setSpecDefaults(getOrAddChild(claim, "spec"));
          setIfEmpty(getOrAddChild(claim, "status"), "phase", "Pending");
        }
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      spec.forEachChild(
          "volumeClaimTemplates", claim -> ClaimStrategy.validateSpec(claim.getChild("spec")));
      spec.checkLabel("serviceName");
      validateCommonSpec(spec);
    }

    private static void validateCommonSpec(ValidatedObject spec) {
      spec.checkAtLeast("replicas", 0);
      WorkloadRules.validateStatefulSet(spec);
      WorkloadRules.validateSelector(spec, "statefulset");
      JsonObject specWithVolumes = WorkloadRules.copyWithClaimVolumes(spec.object());
      ValidatedObject expandedSpec =
          new ValidatedObject(specWithVolumes, spec.field(), spec.errors());
      // Kubernetes validates the metadata twice
      WorkloadRules.validateTemplateMetadata(expandedSpec.getChild("template"));
      WorkloadRules.validateTemplate(expandedSpec, "StatefulSet");
    }

    @Override
    public List<String> findWarnings(JsonObject object) {
      List<String> warnings = super.findWarnings(object);
      if (ValidatedObject.forReading(object, "spec").number("revisionHistoryLimit") < 0) {
        warnings.add(
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended");
      }
      return warnings;
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      WorkloadRules.validateCounts(
          ValidatedObject.ofMember(object, "status", errors),
          List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validateCommonSpec(ValidatedObject.ofMember(object, "spec", errors));
      JsonObject newSpec = getOrAddChild(object, "spec").deepCopy();
      JsonObject oldSpec = getOrAddChild(old.deepCopy(), "spec");
      MUTABLE_FIELDS.forEach(f -> {
        newSpec.remove(f);
        oldSpec.remove(f);
      });
      if (!newSpec.equals(oldSpec)) {
        errors.addForbidden(
            "spec",
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
      }
    }
  }

  public static final class ReplicaSetStrategy extends AppsStrategy {
    public ReplicaSetStrategy() {
      super("replicasets.apps", "ReplicaSet");
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      WorkloadRules.validateCounts(
          ValidatedObject.ofMember(object, "status", errors),
          List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"));
    }
  }

  public static final class DeploymentStrategy extends AppsStrategy {
    public DeploymentStrategy() {
      super("deployments.apps", "Deployment");
    }

    @Override
    public List<String> getMetadataKeptOnStatus() {
      return List.of("labels");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      super.validate(object, errors);
      WorkloadRules.validateDeployment(ValidatedObject.ofMember(object, "spec", errors));
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
      WorkloadRules.validateCounts(
          status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"));
      status.checkAtLeast("unavailableReplicas", 0);
      status.checkAtLeast("terminatingReplicas", 0);
    }
  }
}
