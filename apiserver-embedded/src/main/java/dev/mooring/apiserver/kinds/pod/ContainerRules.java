package dev.mooring.apiserver.kinds.pod;

import com.google.gson.JsonElement;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

final class ContainerRules {
  private static final Pattern PORT_NAME = Pattern.compile("[-a-z0-9]+");
  private static final Pattern HEADER_NAME = Pattern.compile("[-A-Za-z0-9]+");
  private static final int MAX_PORT = 65535;
  private static final String SIDECAR_ERROR =
      "may not be set for init containers without restartPolicy=Always";

  private final ValidatedObject spec;
  private final Map<String, String> volumes;

  ContainerRules(ValidatedObject spec, Map<String, String> volumes) {
    this.spec = spec;
    this.volumes = volumes;
  }

  void validate() {
    List<ValidatedObject> containers = spec.getChildren("containers");
    if (containers.isEmpty()) {
      spec.addRequired("containers", "");
    }
    Set<String> names = new HashSet<>();
    for (ValidatedObject container : containers) {
      validateCommonFields(container);
      if (!names.add(container.text("name"))) {
        container.addDuplicate("name");
      }
      validateProbesAndHooks(container);
      validateRestartPolicy(container);
    }
    rejectSharedHostPorts(containers);
    for (ValidatedObject container : spec.getChildren("initContainers")) {
      validateInitContainer(container, names);
    }
    for (ValidatedObject container : spec.getChildren("ephemeralContainers")) {
      validateEphemeralContainer(container, names);
    }
  }

  private void validateInitContainer(ValidatedObject container, Set<String> names) {
    validateCommonFields(container);
    if (container.has("restartPolicy")) {
      validateRestartPolicy(container);
    } else if (!container.isEmpty("restartPolicyRules")) {
      container.addRequired(
          "restartPolicy", "must specify restartPolicy when restart rules are used");
    }
    String name = container.text("name");
    if (!name.isEmpty() && !names.add(name)) {
      container.errors().addDuplicate(container.path("name"), name);
    }
    if (container.text("restartPolicy").equals("Always")) {
      validateProbesAndHooks(container);
    } else {
      for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
        if (container.has(field)) {
          container.addForbidden(field, SIDECAR_ERROR);
        }
      }
      container.forEachChild(
          "resizePolicy",
          policy -> {
            if (policy.text("restartPolicy").equals("RestartContainer")) {
              policy.addInvalid(
                  "restartPolicy",
                  "must not be set to 'RestartContainer' for non-sidecar initContainers");
            }
          });
    }
  }

  private void validateEphemeralContainer(ValidatedObject container, Set<String> names) {
    validateCommonFields(container);
    rejectImageWhitespace(container);
    String target = container.text("targetContainerName");
    if (!target.isEmpty() && !names.contains(target)) {
      container.errors().addNotFound(container.path("targetContainerName"), target);
    }
    if (!names.add(container.text("name"))) {
      container.addDuplicate("name");
    }
    for (String field :
        List.of(
            "ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resources")) {
      if (!container.isEmpty(field)) {
        container.addForbidden(field, "cannot be set for an Ephemeral Container");
      }
    }
    container.forEachChild(
        "volumeMounts",
        mount -> {
          for (String field : List.of("subPath", "subPathExpr")) {
            if (!mount.isEmpty(field)) {
              mount.addForbidden(field, "cannot be set for an Ephemeral Container");
            }
          }
        });
  }

  private void validateCommonFields(ValidatedObject container) {
    container.requireMembers("name");
    container.checkLabel("name");
    container.requireMembers("image");
    container.requireOneOf("terminationMessagePolicy", "File", "FallbackToLogsOnError");
    validatePorts(container);
    container.forEachChild("env", EnvironmentVariables::validateVariable);
    container.forEachChild(
        "envFrom", from -> EnvironmentVariables.validateSource(from, container.path("envFrom")));
    PodVolumes.validateMounts(container, volumes);
    container.requireOneOf("imagePullPolicy", "Always", "IfNotPresent", "Never");
    ResourceAmounts.validateRequirements(container.getChild("resources"));
    validateResourceClaims(container.getChild("resources"));
    validateResizePolicies(container);
    container.ifPresent(
        "securityContext", context -> SecurityContexts.validateContainer(context, spec));
  }

  // Image names must not have surrounding spaces; checked for pods, not for templates.
  static void rejectImageWhitespace(ValidatedObject container) {
    String image = container.text("image");
    if (!image.equals(image.strip())) {
      container.addInvalid("image", "must not have leading or trailing whitespace");
    }
  }

  private void validateResourceClaims(ValidatedObject resources) {
    Set<String> podClaims = new HashSet<>();
    spec.forEachChild("resourceClaims", claim -> podClaims.add(claim.text("name")));
    Set<String> names = new HashSet<>();
    for (ValidatedObject claim : resources.getChildren("claims")) {
      String name = claim.text("name");
      claim.checkLabel("request");
      String key = claim.isEmpty("request") ? name : name + "/" + claim.text("request");
      if (name.isEmpty()) {
        claim.addSelfRequired("");
        continue;
      }
      if (!names.add(key)) {
        claim.addSelfDuplicate(key);
      }
      if (!podClaims.contains(name)) {
        claim.errors().addNotFound(claim.field(), name);
      }
    }
  }

  private void validateResizePolicies(ValidatedObject container) {
    Set<String> resources = new HashSet<>();
    for (ValidatedObject policy : container.getChildren("resizePolicy")) {
      String resource = policy.text("resourceName");
      if (!resources.add(resource)) {
        policy.addSelfDuplicate(resource);
      }
      ValidatedObject reportedPolicy = policy.atPath(container.path("resizePolicy"));
      reportUnsupported(reportedPolicy, resource, List.of("cpu", "memory"));
      reportUnsupported(
          reportedPolicy, policy.text("restartPolicy"), List.of("NotRequired", "RestartContainer"));
      if (spec.text("restartPolicy").equals("Never")
          && !policy.text("restartPolicy").equals("NotRequired")) {
        reportedPolicy.addSelfInvalid(
            policy.text("restartPolicy"),
            "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }

  private static void reportUnsupported(
      ValidatedObject object, String value, List<String> supported) {
    if (value.isEmpty()) {
      object.addSelfRequired("");
    } else if (!supported.contains(value)) {
      object.errors().addNotSupported(object.field(), value, supported);
    }
  }

  private static void validateRestartPolicy(ValidatedObject container) {
    boolean hasRules = !container.isEmpty("restartPolicyRules");
    if (hasRules && !container.has("restartPolicy")) {
      container.addRequired(
          "restartPolicy", "must specify restartPolicy when restart rules are used");
    }
    container.checkOneOf("restartPolicy", "Always", "Never", "OnFailure");
    container.forEachChild(
        "restartPolicyRules",
        rule -> {
          rule.checkOneOfEvenIfAbsent("action", "Restart");
          if (rule.has("exitCodes")) {
            rule.getChild("exitCodes").checkOneOfEvenIfAbsent("operator", "In", "NotIn");
          } else {
            rule.addRequired("exitCodes", "must be specified");
          }
        });
  }

  private void validateProbesAndHooks(ValidatedObject container) {
    container.ifPresent(
        "lifecycle",
        lifecycle -> {
          for (String hook : List.of("postStart", "preStop")) {
            lifecycle.ifPresent(
                hook, h -> validateHandler(h, List.of("exec", "httpGet", "tcpSocket", "sleep")));
          }
        });
    for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      container.ifPresent(name, probe -> validateProbe(probe, name.equals("readinessProbe")));
    }
  }

  private void validateProbe(ValidatedObject probe, boolean isReadiness) {
    validateHandler(probe, List.of("exec", "httpGet", "tcpSocket", "grpc"));
    for (String field :
        List.of(
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold")) {
      probe.checkAtLeast(field, 0);
    }
    if (probe.has("terminationGracePeriodSeconds")) {
      if (probe.number("terminationGracePeriodSeconds") <= 0) {
        probe.addInvalid("terminationGracePeriodSeconds", "must be greater than 0");
      }
      if (isReadiness) {
        probe.addInvalid("terminationGracePeriodSeconds", "must not be set for readinessProbes");
      }
    }
    if (!isReadiness && probe.number("successThreshold") != 1) {
      probe.addInvalid("successThreshold", "must be 1");
    }
  }

  private void validateHandler(ValidatedObject handler, List<String> kinds) {
    int handlerCount = 0;
    for (String kind : kinds) {
      if (handler.has(kind) && handlerCount++ > 0) {
        handler.addForbidden(kind, "may not specify more than 1 handler type");
      } else if (handler.has(kind)) {
        validateAction(handler.getChild(kind), kind);
      }
    }
    if (handlerCount == 0) {
      handler.addSelfRequired("must specify a handler type");
    }
  }

  private void validateAction(ValidatedObject action, String kind) {
    switch (kind) {
      case "exec" -> action.requireMembers("command");
      case "httpGet" -> {
        action.requireMembers("path");
        validateActionPort(action);
        action.checkOneOf("scheme", "HTTP", "HTTPS");
        action.forEachChild(
            "httpHeaders",
            header -> {
              if (!HEADER_NAME.matcher(header.text("name")).matches()) {
                action.addInvalid(
                    "httpHeaders",
                    header.text("name"),
                    "a valid HTTP header must consist of alphanumeric characters or '-'");
              }
            });
      }
      case "sleep" -> {
        long graceSeconds = spec.number("terminationGracePeriodSeconds");
        if (action.number("seconds") < 0 || action.number("seconds") > graceSeconds) {
          action.addSelfInvalid(
              action.number("seconds"),
              "must be non-negative and less than terminationGracePeriodSeconds ("
                  + graceSeconds
                  + ")");
        }
      }
      default -> validateActionPort(action);
    }
  }

  private static void validateActionPort(ValidatedObject action) {
    JsonElement port = action.value("port");
    if (port != null && port.getAsJsonPrimitive().isString()) {
      validatePortName(port.getAsString(), action.path("port"), action.errors());
    } else if (port == null) {
      action.addInvalid("port", 0, "must be between 1 and 65535, inclusive");
    } else {
      action.checkRange("port", 1, MAX_PORT);
    }
  }

  /** Adds an error per violated rule. Returns whether the name is valid. */
  static boolean validatePortName(String name, String field, FieldErrors errors) {
    int errorCount = errors.getCauses().size();
    if (name.length() > 15) {
      errors.addInvalid(field, name, "must be no more than 15 characters");
    }
    if (!PORT_NAME.matcher(name).matches()) {
      errors.addInvalid(
          field, name, "must contain only alpha-numeric characters (a-z, 0-9), and '-'");
    }
    if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
      errors.addInvalid(field, name, "must contain at least one letter (a-z)");
    }
    if (name.contains("--")) {
      errors.addInvalid(field, name, "must not contain consecutive hyphens");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      errors.addInvalid(field, name, "must not begin or end with a hyphen");
    }
    return errors.getCauses().size() == errorCount;
  }

  private static void validatePorts(ValidatedObject container) {
    Set<String> names = new HashSet<>();
    for (ValidatedObject port : container.getChildren("ports")) {
      String name = port.text("name");
      if (!name.isEmpty()
          && validatePortName(name, port.path("name"), port.errors())
          && !names.add(name)) {
        port.errors().addDuplicate(port.path("name"), name);
      }
      if (port.number("containerPort") == 0) {
        port.addRequired("containerPort", "");
      } else {
        port.checkRange("containerPort", 1, MAX_PORT);
      }
      if (port.number("hostPort") != 0) {
        port.checkRange("hostPort", 1, MAX_PORT);
      }
      port.requireOneOf("protocol", "SCTP", "TCP", "UDP");
    }
  }

  private static void rejectSharedHostPorts(List<ValidatedObject> containers) {
    Set<String> hostPorts = new HashSet<>();
    for (ValidatedObject container : containers) {
      for (ValidatedObject port : container.getChildren("ports")) {
        String key =
            port.text("protocol") + "/" + port.text("hostIP") + "/" + port.number("hostPort");
        if (port.number("hostPort") != 0 && !hostPorts.add(key)) {
          port.errors().addDuplicate(port.path("hostPort"), key);
        }
      }
    }
  }
}
