package dev.mooring.cluster;

import dev.mooring.model.Claim.Condition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a claim's conditions. A merge patch replaces the whole list; the patch must therefore be
 * conditional on the version from which the list was read.
 */
public final class ClaimConditions {
  private ClaimConditions() {}

  public static Document set(Document patch, List<Condition> conditions) {
    List<Map<String, @Nullable Object>> values =
        conditions.stream().map(ClaimConditions::toMembers).toList();
    return patch.set(values.isEmpty() ? null : values, "status", "conditions");
  }

  private static Map<String, @Nullable Object> toMembers(Condition condition) {
    Map<String, @Nullable Object> members = new HashMap<>();
    members.put("type", condition.type());
    members.put("status", condition.status());
    members.put("lastProbeTime", formatTime(condition.probed()));
    members.put("lastTransitionTime", formatTime(condition.changed()));
    if (!condition.reason().isEmpty()) {
      members.put("reason", condition.reason());
    }
    if (!condition.message().isEmpty()) {
      members.put("message", condition.message());
    }
    return members;
  }

  private static @Nullable String formatTime(long seconds) {
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds).toString();
  }
}
