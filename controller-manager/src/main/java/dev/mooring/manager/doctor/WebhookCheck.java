package dev.mooring.manager.doctor;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.live.RawObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

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
  List<CheckFinding> results(List<RawObject> configurations) {
    List<CheckFinding> findings = new ArrayList<>();
    int webhooks = 0;
    for (RawObject configuration : configurations) {
      String name = configuration.text("metadata", "name");
      for (RawObject webhook : configuration.objects("webhooks")) {
        webhooks++;
        Set<String> writes = blockedWrites(webhook);
        if (!writes.isEmpty() && !webhook.text("failurePolicy").equals("Ignore")) {
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

  private CheckFinding result(String configuration, RawObject webhook, Set<String> writes) {
    String service = service(webhook);
    String text =
        "%s, webhook %s: an outage stops writes to %s"
            .formatted(configuration, webhook.text("name"), String.join(", ", writes));
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

  private static String service(RawObject webhook) {
    RawObject service = webhook.at("clientConfig", "service");
    return service.isEmpty() ? "" : service.text("namespace") + "/" + service.text("name");
  }

  private Set<String> blockedWrites(RawObject webhook) {
    Set<String> resources = new TreeSet<>();
    for (RawObject rule : webhook.objects("rules")) {
      for (RbacRule right : rights) {
        if (covers(rule, right)) {
          resources.add(right.target().resource());
        }
      }
    }
    return resources;
  }

  private static boolean covers(RawObject rule, RbacRule right) {
    String operation = operation(right.verb());
    return !operation.isEmpty()
        && contains(rule.list("operations"), operation)
        && contains(rule.list("apiGroups"), right.target().group())
        && coversResource(rule.list("resources"), right.target().resource());
  }

  private static boolean coversResource(List<String> resources, String resource) {
    int slash = resource.indexOf('/');
    return resources.stream()
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

  private static boolean contains(List<String> values, String value) {
    return values.contains(ALL) || values.contains(value);
  }
}
