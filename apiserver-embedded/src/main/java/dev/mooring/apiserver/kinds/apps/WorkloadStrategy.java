package dev.mooring.apiserver.kinds.apps;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.pod.PodDefaults;
import dev.mooring.apiserver.kinds.pod.PodSpecs;
import dev.mooring.apiserver.kinds.pod.PodWarnings;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.List;

public class WorkloadStrategy extends DeclaredStrategy {
  public WorkloadStrategy(String kindName, String messageName) {
    super(kindName, messageName);
  }

  @Override
  public void setDefaults(JsonObject object) {
    super.setDefaults(object);
    for (String path : findSubjects("pod")) {
      if (valueAt(object, path.split("\\.")) instanceof JsonObject template) {
        PodDefaults.setSpecDefaults(getOrAddChild(template, "spec"));
      }
    }
  }

  @Override
  protected void validateMore(
      String keyword, String subject, JsonObject object, FieldErrors errors) {
    if (keyword.equals("workload")) {
      ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
      WorkloadRules.validateSelector(spec, subject);
      WorkloadRules.validateTemplate(spec, "ReplicaSet");
    } else if (keyword.equals("pod") && findSubjects("workload").isEmpty()) {
      ValidatedObject template = findTemplate(object, subject, errors);
      if (!template.object().isEmpty()) {
        WorkloadRules.validateTemplateMetadata(template);
        PodSpecs.validate(template.getChild("spec"), "");
      }
    }
  }

  private static ValidatedObject findTemplate(JsonObject object, String path, FieldErrors errors) {
    ValidatedObject template = new ValidatedObject(object, "", errors);
    for (String name : path.split("\\.")) {
      template = template.getChild(name);
    }
    return template;
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    List<String> warnings = new ArrayList<>();
    for (String path : findSubjects("pod")) {
      ValidatedObject template = findTemplate(object, path, new FieldErrors());
      if (!template.object().isEmpty()) {
        warnings.addAll(PodWarnings.findTemplateWarnings(template));
      }
    }
    return warnings;
  }
}
