package dev.mooring.apiserver.kinds.pod;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.SchedulingRules;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class PodSpecs {
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCH_PATHS = 32;
  private static final int MAX_SEARCH_LENGTH = 2048;
  private static final int MAX_HOSTNAME_BYTES = 64;

  private PodSpecs() {}

  /**
   * Validates the spec.
   *
   * @param podName the pod's name; "" for a template
   */
  public static void validate(ValidatedObject spec, String podName) {
    Map<String, String> volumes = PodVolumes.validate(spec, podName);
    validateResourceClaims(spec);
    new ContainerRules(spec, volumes).validate();
    validateHostNetwork(spec, !podName.isEmpty());
    spec.requireOneOf("restartPolicy", "Always", "OnFailure", "Never");
    spec.requireOneOf("dnsPolicy", "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    ObjectNames.validateLabels(
        spec.value("nodeSelector"), spec.path("nodeSelector"), spec.errors());
    spec.ifPresent("securityContext", context -> SecurityContexts.validatePod(context, spec));
    if (spec.flag("shareProcessNamespace") && spec.flag("hostPID")) {
      spec.addInvalid(
          "securityContext.shareProcessNamespace",
          true,
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    spec.ifPresent("affinity", SchedulingRules::validateAffinity);
    validateDns(spec);
    spec.forEachChild("readinessGates", gate -> gate.requireQualifiedName("conditionType"));
    validateSchedulingGates(spec);
    SchedulingRules.validateSpread(spec);
    validateHostUsers(spec);
    validateNames(spec);
    spec.checkRange("activeDeadlineSeconds", 1, Integer.MAX_VALUE);
    SchedulingRules.validateTolerations(spec);
    validateHostAliases(spec);
    spec.checkOneOf("preemptionPolicy", "PreemptLowerPriority", "Never");
    spec.ifPresent("overhead", PodSpecs::validateOverhead);
    spec.ifPresent("resources", PodSpecs::validatePodResources);
    validateOperatingSystem(spec);
  }

  private static void validateNames(ValidatedObject spec) {
    spec.checkSubdomain("serviceAccountName");
    spec.checkSubdomain("nodeName");
    spec.checkLabel("hostname");
    spec.checkLabel("subdomain");
    spec.checkSubdomain("priorityClassName");
    spec.checkSubdomain("runtimeClassName");
    if (spec.has("hostnameOverride")) {
      for (String field : List.of("setHostnameAsFQDN", "hostNetwork")) {
        if (spec.flag(field)) {
          spec.addForbidden("hostnameOverride", "may not be specified when " + field + " is true");
        }
      }
      if (TextSize.countBytes(spec.text("hostnameOverride")) > MAX_HOSTNAME_BYTES) {
        spec.errors().addTooLong(spec.path("hostnameOverride"), MAX_HOSTNAME_BYTES);
      }
      spec.requireSubdomain("hostnameOverride");
    }
  }

  private static void validateResourceClaims(ValidatedObject spec) {
    Set<String> names = new HashSet<>();
    for (ValidatedObject claim : spec.getChildren("resourceClaims")) {
      claim.requireMembers("name");
      String name = claim.text("name");
      if (!name.isEmpty() && !names.add(name)) {
        claim.errors().addDuplicate(claim.path("name"), name);
      } else {
        claim.checkLabel("name");
      }
      boolean hasName = claim.has("resourceClaimName");
      boolean hasTemplate = claim.has("resourceClaimTemplateName");
      if (hasName == hasTemplate) {
        claim.addSelfInvalid(
            claim.object(),
            hasName
                ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
                : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
      for (String field : List.of("resourceClaimName", "resourceClaimTemplateName")) {
        if (claim.has(field)) {
          claim.requireSubdomain(field);
        }
      }
    }
  }

  private static void validateHostNetwork(ValidatedObject spec, boolean isPod) {
    if (!spec.flag("hostNetwork")) {
      return;
    }
    for (ValidatedObject container : spec.getChildren("containers")) {
      container.forEachChild(
          "ports",
          port -> {
            long hostPort = port.number("hostPort");
            if ((isPod || hostPort != 0) && hostPort != port.number("containerPort")) {
              port.addInvalid(
                  "hostPort", hostPort, "must match `containerPort` when `hostNetwork` is true");
            }
          });
    }
  }

  private static void validateHostUsers(ValidatedObject spec) {
    if (spec.has("hostUsers") && !spec.flag("hostUsers")) {
      if (spec.flag("hostNetwork")) {
        spec.addForbidden("hostNetwork", "when `hostUsers` is false");
      }
      for (String field : List.of("hostPID", "hostIPC")) {
        if (spec.flag(field)) {
          spec.addForbidden("H" + field.substring(1), "when `hostUsers` is false");
        }
      }
      for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
        spec.forEachChild(
            list,
            container -> {
              if (!container.isEmpty("volumeDevices")) {
                container.addForbidden("volumeDevices", "when `hostUsers` is false");
              }
            });
      }
    }
  }

  private static void validateDns(ValidatedObject spec) {
    boolean isConfigRequired = spec.text("dnsPolicy").equals("None");
    if (isConfigRequired && !spec.has("dnsConfig")) {
      spec.addRequired("dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None");
    }
    if (!spec.has("dnsConfig")) {
      return;
    }
    ValidatedObject config = spec.getChild("dnsConfig");
    List<String> servers = config.strings("nameservers");
    if (isConfigRequired && servers.isEmpty()) {
      config.addRequired(
          "nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None");
      return;
    }
    if (servers.size() > MAX_NAMESERVERS) {
      config.addInvalid("nameservers", "must not have more than 3 nameservers");
    }
    for (int i = 0; i < servers.size(); i++) {
      IpAddresses.validateIp(
          servers.get(i), config.path("nameservers") + "[" + i + "]", config.errors());
    }
    validateSearches(config);
    for (ValidatedObject option : config.getChildren("options")) {
      if (option.isEmpty("name")) {
        option.addSelfRequired("must not be empty");
      }
    }
  }

  private static void validateSearches(ValidatedObject config) {
    List<String> searches = config.strings("searches");
    if (searches.size() > MAX_SEARCH_PATHS) {
      config.addInvalid("searches", "must not have more than 32 search paths");
    }
    if (String.join(" ", searches).length() > MAX_SEARCH_LENGTH) {
      config.addInvalid(
          "searches",
          "must not have more than 2048 characters (including spaces) in the search list");
    }
    for (int i = 0; i < searches.size(); i++) {
      String search = searches.get(i);
      if (!search.equals(".")) {
        String domain = search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
        ObjectNames.validateSubdomain(
            domain.replaceAll("(^|\\.)_+", "$1a").replaceAll("_+(\\.|$)", "a$1").replace('_', '-'),
            config.path("searches") + "[" + i + "]",
            config.errors());
      }
    }
  }

  private static void validateSchedulingGates(ValidatedObject spec) {
    Set<String> names = new HashSet<>();
    for (ValidatedObject gate : spec.getChildren("schedulingGates")) {
      ObjectNames.validateQualifiedName(gate.text("name"), gate.field(), gate.errors());
      if (!names.add(gate.text("name"))) {
        gate.addSelfDuplicate(gate.text("name"));
      }
    }
  }

  private static void validateHostAliases(ValidatedObject spec) {
    for (ValidatedObject alias : spec.getChildren("hostAliases")) {
      IpAddresses.validateIp(alias.text("ip"), alias.path("ip"), alias.errors());
      List<String> names = alias.strings("hostnames");
      for (int i = 0; i < names.size(); i++) {
        ObjectNames.validateSubdomain(
            names.get(i), alias.path("hostnames") + "[" + i + "]", alias.errors());
      }
    }
  }

  private static void validateOverhead(ValidatedObject overhead) {
    JsonObject amounts = new JsonObject();
    amounts.add("limits", overhead.object());
    FieldErrors overheadErrors = new FieldErrors();
    ResourceAmounts.validateRequirements(new ValidatedObject(amounts, "", overheadErrors));
    for (StatusException.StatusCause cause : overheadErrors.getCauses()) {
      overhead
          .errors()
          .getCauses()
          .add(
              new StatusException.StatusCause(
                  cause.reason(), cause.message(), overhead.path(cause.field())));
    }
  }

  private static void validatePodResources(ValidatedObject resources) {
    if (resources.has("claims")) {
      resources.addForbidden("claims", "claims may not be set for Resources at pod-level");
      for (ValidatedObject claim : resources.getChildren("claims")) {
        if (claim.isEmpty("name")) {
          claim.addSelfRequired("");
        } else {
          claim.errors().addNotFound(claim.field(), claim.text("name"));
        }
      }
    }
    ResourceAmounts.validateRequirements(resources, true);
  }

  private static void validateOperatingSystem(ValidatedObject spec) {
    if (!spec.has("os")) {
      return;
    }
    String name = spec.text("os", "name");
    if (name.isEmpty()) {
      spec.addRequired("os.name", "");
    } else if (!List.of("linux", "windows").contains(name)) {
      spec.addNotSupported("os", name, List.of("linux", "windows"));
    } else if (name.equals("linux")) {
      rejectWindowsOptions(spec);
      for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
        spec.forEachChild(list, PodSpecs::rejectWindowsOptions);
      }
    }
  }

  private static void rejectWindowsOptions(ValidatedObject object) {
    if (object.has("securityContext", "windowsOptions")) {
      object.addForbidden(
          "securityContext.windowsOptions", "windows options cannot be set for a linux pod");
    }
  }

  // Projected tokens require a service account; checked for pods, not for templates.
  static void validateTokens(ValidatedObject spec) {
    if (!spec.isEmpty("serviceAccountName")) {
      return;
    }
    for (ValidatedObject volume : spec.getChildren("volumes")) {
      volume
          .getChild("projected")
          .forEachChild(
              "sources",
              source -> {
                if (source.has("serviceAccountToken")) {
                  source.addForbidden(
                      "serviceAccountToken",
                      "must not be specified when serviceAccountName is not set");
                }
              });
    }
  }
}
