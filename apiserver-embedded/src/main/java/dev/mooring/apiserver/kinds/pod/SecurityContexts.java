package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

final class SecurityContexts {
  private static final Pattern SYSCTL =
      Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");

  private SecurityContexts() {}

  static void validateContainer(ValidatedObject context, ValidatedObject spec) {
    boolean privileged = context.flag("privileged");
    if (privileged) {
      context.addForbidden("privileged", "disallowed by cluster policy");
    }
    validateIds(context, "runAsUser", "runAsGroup");
    context.checkOneOf("procMount", "Default", "Unmasked");
    if (context.has("allowPrivilegeEscalation") && !context.flag("allowPrivilegeEscalation")) {
      if (privileged) {
        context.addSelfInvalid(
            context.object(),
            "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
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
          boolean local = profile.text("type").equals("Localhost");
          if (local && !profile.has("localhostProfile")) {
            profile.addRequired("localhostProfile", "must be set when seccomp type is Localhost");
          } else if (local) {
            profile.checkDescending("localhostProfile");
          } else if (profile.has("localhostProfile")) {
            profile.addInvalid(
                "localhostProfile", "can only be set when seccomp type is Localhost");
          }
        });
  }

  static void validatePod(ValidatedObject context, ValidatedObject spec) {
    validateIds(context, "fsGroup", "runAsUser", "runAsGroup");
    validateSysctls(context);
    context.checkOneOf("fsGroupChangePolicy", "Always", "OnRootMismatch");
    validateProfiles(context);
    context.checkOneOf("supplementalGroupsPolicy", "Merge", "Strict");
    context.checkOneOf("seLinuxChangePolicy", "MountOption", "Recursive");
  }

  private static void validateSysctls(ValidatedObject context) {
    Set<String> names = new HashSet<>();
    for (ValidatedObject sysctl : context.children("sysctls")) {
      String name = sysctl.text("name");
      if (name.isEmpty()) {
        sysctl.addRequired("name", "");
      } else if (name.length() > 253 || !SYSCTL.matcher(name).matches()) {
        sysctl.addInvalid("name", "must have at most 253 characters and match regex " + SYSCTL);
      } else if (!names.add(name)) {
        sysctl.errors().addDuplicate(sysctl.path("name"), name);
      }
    }
  }
}
