package dev.mooring.apiserver.kinds.pod;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

final class SecurityContexts {
  private static final Pattern SYSCTL =
      Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");

  private SecurityContexts() {}

  static void validateContainer(ValidatedObject context, ValidatedObject spec) {
    boolean isPrivileged = context.flag("privileged");
    if (isPrivileged) {
      context.addForbidden("privileged", "disallowed by cluster policy");
    }
    validateIds(context, "runAsUser", "runAsGroup");
    context.checkOneOf("procMount", "Default", "Unmasked");
    boolean usesHostUsers = !spec.has("hostUsers") || spec.flag("hostUsers");
    if (usesHostUsers && context.text("procMount").equals("Unmasked")) {
      context.addInvalid("procMount", "`hostUsers` must be false to use `Unmasked`");
    }
    if (context.has("allowPrivilegeEscalation") && !context.flag("allowPrivilegeEscalation")) {
      if (isPrivileged) {
        context.addSelfInvalid(
            context.object(),
            "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      if (context.strings("capabilities", "add").contains("CAP_SYS_ADMIN")) {
        context.addSelfInvalid(
            context.object(),
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
    validateProfiles(context);
  }

  private static void validateIds(ValidatedObject context, String... fields) {
    for (String field : fields) {
      context.checkRange(field, 0, Integer.MAX_VALUE);
    }
  }

  private static void validateProfiles(ValidatedObject context) {
    context.ifPresent(
        "seccompProfile",
        profile -> {
          profile.requireOneOf("type", "Localhost", "RuntimeDefault", "Unconfined");
          boolean isLocal = profile.text("type").equals("Localhost");
          if (isLocal && !profile.has("localhostProfile")) {
            profile.addRequired("localhostProfile", "must be set when seccomp type is Localhost");
          } else if (isLocal) {
            profile.checkDescending("localhostProfile");
          } else if (profile.has("localhostProfile")) {
            profile.addInvalid(
                "localhostProfile", "can only be set when seccomp type is Localhost");
          }
        });
    context.ifPresent(
        "appArmorProfile",
        profile -> {
          profile.requireOneOf("type", "Localhost", "RuntimeDefault", "Unconfined");
          boolean isLocal = profile.text("type").equals("Localhost");
          String name = profile.text("localhostProfile");
          if (isLocal && name.strip().isEmpty()) {
            if (name.isEmpty()) {
              profile.addRequired(
                  "localhostProfile", "must be set when AppArmor type is Localhost");
            } else {
              profile.addInvalid("localhostProfile", "must not be padded with whitespace");
            }
          } else if (isLocal && !name.equals(name.strip())) {
            profile.addInvalid("localhostProfile", "must not be padded with whitespace");
          } else if (!isLocal
              && profile.has("localhostProfile")
              && !profile.text("type").isEmpty()
              && java.util.List.of("RuntimeDefault", "Unconfined").contains(profile.text("type"))) {
            profile.addInvalid(
                "localhostProfile", "can only be set when AppArmor type is Localhost");
          }
        });
  }

  static void validatePod(ValidatedObject context, ValidatedObject spec) {
    validateIds(context, "fsGroup", "runAsUser", "runAsGroup");
    if (context.value("supplementalGroups") instanceof JsonArray groups) {
      for (int i = 0; i < groups.size(); i++) {
        JsonElement group = groups.get(i);
        if (group.getAsLong() < 0 || group.getAsLong() > Integer.MAX_VALUE) {
          context
              .errors()
              .addInvalid(
                  context.path("supplementalGroups") + "[" + i + "]",
                  group,
                  "must be between 0 and 2147483647, inclusive");
        }
      }
    }
    validateSysctls(context, spec);
    context.checkOneOf("fsGroupChangePolicy", "Always", "OnRootMismatch");
    validateProfiles(context);
    context.checkOneOf("supplementalGroupsPolicy", "Merge", "Strict");
    context.checkOneOf("seLinuxChangePolicy", "MountOption", "Recursive");
  }

  private static void validateSysctls(ValidatedObject context, ValidatedObject spec) {
    Set<String> names = new HashSet<>();
    for (ValidatedObject sysctl : context.getChildren("sysctls")) {
      String name = sysctl.text("name");
      if (name.isEmpty()) {
        sysctl.addRequired("name", "");
      } else if (name.length() > 253 || !SYSCTL.matcher(name).matches()) {
        sysctl.addInvalid("name", "must have at most 253 characters and match regex " + SYSCTL);
      } else if (!names.add(name)) {
        sysctl.errors().addDuplicate(sysctl.path("name"), name);
      }
      if (spec.flag("hostNetwork") && name.startsWith("net.")) {
        sysctl.addInvalid("name", "may not be specified when 'hostNetwork' is true");
      } else if (spec.flag("hostIPC")
          && (name.startsWith("kernel.shm")
              || name.startsWith("kernel.msg")
              || name.equals("kernel.sem")
              || name.startsWith("fs.mqueue."))) {
        sysctl.addInvalid("name", "may not be specified when 'hostIPC' is true");
      }
    }
  }
}
