package dev.mooring.apiserver.kinds.apps;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.pod.PodDefaults;
import dev.mooring.apiserver.kinds.pod.PodWarnings;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.storage.ClaimStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

public class AppsStrategy implements KindStrategy {
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

    @Override
    public void setDefaults(JsonObject object) {
      super.setDefaults(object);
      JsonObject spec = getOrAddChild(object, "spec");
      setIfEmpty(spec, "podManagementPolicy", "OrderedReady");
      JsonObject strategy = getOrAddChild(spec, "updateStrategy");
      if (textAt(strategy, "type").isEmpty()) {
        strategy.addProperty("type", "RollingUpdate");
        getOrAddChild(strategy, "rollingUpdate");
      }
      if (textAt(strategy, "type").equals("RollingUpdate")
          && valueAt(strategy, "rollingUpdate") instanceof JsonObject rolling) {
        setIfAbsent(rolling, "partition", 0);
      }
      setIfAbsent(spec, "revisionHistoryLimit", 10);
      JsonObject retention = getOrAddChild(spec, "persistentVolumeClaimRetentionPolicy");
      setIfEmpty(retention, "whenDeleted", "Retain");
      setIfEmpty(retention, "whenScaled", "Retain");
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
      WorkloadRules.validateTemplateMetadata(expandedSpec); // Kubernetes validates it twice
      WorkloadRules.validateTemplate(expandedSpec, "StatefulSet");
    }

    @Override
    public List<String> findWarnings(JsonObject object) {
      List<String> warnings = super.findWarnings(object);
      if (getNumber(object, "spec", "revisionHistoryLimit") < 0) {
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
    @Override
    public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
      WorkloadRules.validateCounts(
          ValidatedObject.ofMember(object, "status", errors),
          List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"));
    }
  }

  public static final class DeploymentStrategy extends AppsStrategy {
    @Override
    public List<String> getMetadataKeptOnStatus() {
      return List.of("labels");
    }

    @Override
    public void setDefaults(JsonObject object) {
      super.setDefaults(object);
      JsonObject spec = getOrAddChild(object, "spec");
      JsonObject strategy = getOrAddChild(spec, "strategy");
      setIfEmpty(strategy, "type", "RollingUpdate");
      if (textAt(strategy, "type").equals("RollingUpdate")) {
        JsonObject rolling = getOrAddChild(strategy, "rollingUpdate");
        for (String field : List.of("maxUnavailable", "maxSurge")) {
          if (valueAt(rolling, field) == null) {
            rolling.addProperty(field, "25%");
          }
        }
      }
      setIfAbsent(spec, "revisionHistoryLimit", 10);
      setIfAbsent(spec, "progressDeadlineSeconds", 600);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      spec.checkAtLeast("replicas", 0);
      WorkloadRules.validateSelector(spec, "deployment");
      WorkloadRules.validateTemplate(spec, "ReplicaSet");
      WorkloadRules.validateDeployment(spec);
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

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = getOrAddChild(object, "spec");
    setIfAbsent(spec, "replicas", 1);
    PodDefaults.setSpecDefaults(getOrAddChild(spec, "template", "spec"));
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    ValidatedObject template = ValidatedObject.forReading(object, "spec").getChild("template");
    return new ArrayList<>(PodWarnings.findTemplateWarnings(template));
  }

  static long getNumber(JsonObject object, String... path) {
    JsonElement value = valueAt(object, path);
    return value == null ? 0 : value.getAsLong();
  }

  @Override
  public void prepareCreate(JsonObject object) {
    object.remove("status");
    getOrAddChild(object, "status").addProperty("replicas", 0);
    if (this instanceof StatefulSetStrategy) {
      getOrAddChild(object, "status").addProperty("availableReplicas", 0);
    } else if (this instanceof DeploymentStrategy) {
      object.add("status", new JsonObject());
    }
    getOrAddChild(object, "metadata").addProperty("generation", 1);
  }

  private static JsonObject getAnnotations(JsonObject object) {
    return valueAt(object, "metadata", "annotations") instanceof JsonObject annotations
        ? annotations
        : new JsonObject();
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    boolean hasNewAnnotations =
        this instanceof DeploymentStrategy
            // annotations may request a rollback
            && !Objects.equals(getAnnotations(object), getAnnotations(old));
    if (hasNewAnnotations || !Objects.equals(object.get("spec"), old.get("spec"))) {
      long generation = getNumber(old, "metadata", "generation");
      getOrAddChild(object, "metadata").addProperty("generation", generation + 1);
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    spec.checkAtLeast("replicas", 0);
    spec.checkAtLeast("minReadySeconds", 0);
    WorkloadRules.validateSelector(
        spec, getClass().getSimpleName().replaceAll("s$", "").toLowerCase(Locale.ROOT));
    WorkloadRules.validateTemplate(spec, "ReplicaSet");
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    if (!Objects.equals(valueAt(object, "spec", "selector"), valueAt(old, "spec", "selector"))) {
      errors.addImmutable(
          "spec.selector", FieldErrors.toShownValue(valueAt(object, "spec", "selector")));
    }
  }
}
