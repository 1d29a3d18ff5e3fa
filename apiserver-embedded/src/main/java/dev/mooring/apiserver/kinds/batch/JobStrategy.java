package dev.mooring.apiserver.kinds.batch;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.apps.WorkloadStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.Objects;

/** Jobs: the server generates the selector, and labels the template so that it matches. */
public final class JobStrategy extends WorkloadStrategy {
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
  private static final String NAME_LABEL = "batch.kubernetes.io/job-name";

  public JobStrategy() {
    super("jobs.batch", "Job");
  }

  @Override
  public void prepareCreate(JsonObject object) {
    super.prepareCreate(object);
    setDefaults(object); // the job's labels are those of the template before it is labelled
    if (!flagAt(object, "spec", "manualSelector")) {
      String uid = textAt(object, "metadata", "uid");
      String name = textAt(object, "metadata", "name");
      JsonObject labels = getOrAddChild(object, "spec", "template", "metadata", "labels");
      setIfAbsent(labels, UID_LABEL, uid);
      setIfAbsent(labels, "controller-uid", uid);
      setIfAbsent(labels, NAME_LABEL, name);
      setIfAbsent(labels, "job-name", name);
      JsonObject selector = getOrAddChild(object, "spec", "selector", "matchLabels");
      setIfAbsent(selector, UID_LABEL, uid);
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    super.validate(object, errors);
    ValidatedObject pod =
        ValidatedObject.ofMember(object, "spec", errors).getChild("template").getChild("spec");
    String restartPolicy = pod.text("restartPolicy");
    if (restartPolicy.isEmpty() || restartPolicy.equals("Always")) {
      pod.addRequired("restartPolicy", "valid values: \"OnFailure\", \"Never\"");
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    boolean isStarted = !textAt(old, "status", "startTime").isEmpty();
    boolean isSuspended = flagAt(old, "spec", "suspend");
    JsonElement template = valueAt(object, "spec", "template");
    // a suspended job that has not started may get other pods
    if ((isStarted || !isSuspended)
        && !Objects.equals(template, valueAt(old, "spec", "template"))) {
      errors.addImmutable("spec.template", FieldErrors.toShownValue(template));
    }
    JsonElement completions = valueAt(object, "spec", "completions");
    boolean isElastic =
        textAt(object, "spec", "completionMode").equals("Indexed")
            && Objects.equals(completions, valueAt(object, "spec", "parallelism"));
    if (!isElastic && !Objects.equals(completions, valueAt(old, "spec", "completions"))) {
      errors.addImmutable("spec.completions", FieldErrors.toShownValue(completions));
    }
  }
}
