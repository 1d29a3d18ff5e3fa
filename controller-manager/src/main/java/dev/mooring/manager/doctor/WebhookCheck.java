package dev.mooring.manager.doctor;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds admission webhooks that can reject the writes of a run.
 *
 * @param rights rights of the run, which name its writes
 * @param isUnavailable returns whether a service, as NAMESPACE/NAME, certainly has no ready
 *     endpoint
 */
record WebhookCheck(List<RbacRule> rights, Predicate<String> isUnavailable) {
  private static final String CHECK = "webhooks";
  private static final String ALL = "*";

  /**
   * @param configurations webhook configurations of both kinds, with all fields
   */
  List<CheckFinding> results(List<Map<?, ?>> configurations) {
    List<CheckFinding> findings = new ArrayList<>();
    int webhooks = 0;
    for (Map<?, ?> configuration : configurations) {
      String name = text(map(configuration.get("metadata")).get("name"));
      for (Object entry : list(configuration.get("webhooks"))) {
        webhooks++;
        Map<?, ?> webhook = map(entry);
        Set<String> writes = blockedWrites(webhook);
        if (!writes.isEmpty() && !text(webhook.get("failurePolicy")).equals("Ignore")) {
          findings.add(result(name, webhook, writes));
        }
      }
    }
    return findings.isEmpty()
        ? List.of(
            CheckFinding.ok(
                CHECK,
                webhooks == 0
                    ? "none is installed"
                    : webhooks + " installed; an outage of none of them stops Mooring's writes"))
        : findings;
  }

  private CheckFinding result(String configuration, Map<?, ?> webhook, Set<String> writes) {
    String service = service(webhook);
    String text =
        "%s, webhook %s: an outage stops writes to %s"
            .formatted(configuration, text(webhook.get("name")), String.join(", ", writes));
    return !service.isEmpty() && isUnavailable.test(service)
        ? CheckFinding.fail(
            CHECK,
            text + "; its service " + service + " has no ready endpoint",
            "start the service, or delete the webhook configuration")
        : CheckFinding.warn(
            CHECK,
            text,
            "set failurePolicy to Ignore, or exclude Mooring's ServiceAccount with a matchCondition");
  }

  private static String service(Map<?, ?> webhook) {
    Map<?, ?> service = map(map(webhook.get("clientConfig")).get("service"));
    return service.isEmpty()
        ? ""
        : text(service.get("namespace")) + "/" + text(service.get("name"));
  }

  private Set<String> blockedWrites(Map<?, ?> webhook) {
    Set<String> resources = new TreeSet<>();
    for (Object rule : list(webhook.get("rules"))) {
      for (RbacRule right : rights) {
        if (covers(map(rule), right)) {
          resources.add(right.target().resource());
        }
      }
    }
    return resources;
  }

  private static boolean covers(Map<?, ?> rule, RbacRule right) {
    String operation = operation(right.verb());
    return !operation.isEmpty()
        && contains(rule.get("operations"), operation)
        && contains(rule.get("apiGroups"), right.target().group())
        && coversResource(list(rule.get("resources")), right.target().resource());
  }

  private static boolean coversResource(List<?> resources, String resource) {
    int slash = resource.indexOf('/');
    return resources.stream()
        .map(WebhookCheck::text)
        .anyMatch(pattern ->
            pattern.equals(resource)
                || pattern.equals("*/*")
                || pattern.equals(ALL) && slash < 0
                || slash > 0
                    && (pattern.equals("*" + resource.substring(slash))
                        || pattern.equals(resource.substring(0, slash) + "/*")));
  }

  private static String operation(Verb verb) {
    return switch (verb) {
      case CREATE -> "CREATE";
      case PATCH, UPDATE -> "UPDATE";
      case DELETE -> "DELETE";
      case GET, LIST, WATCH -> "";
    };
  }

  private static boolean contains(@Nullable Object values, String value) {
    List<?> list = list(values);
    return list.contains(ALL) || list.contains(value);
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }
}
