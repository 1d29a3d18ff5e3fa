package dev.mooring.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;

/**
 * R15: layers of a request's path through the embedded server. R10 covers cycles. Written for any
 * root package, like {@link LayerRules}.
 */
final class RequestRules {
  /** Packages that only the steps of a request may reach. */
  private static final String STEPS = "http([.].*)?|handle|admit";

  /**
   * Allowed successors of each package. Other packages of the server may call no step, and every
   * package below {@code http} needs an entry.
   */
  private static final Map<String, Set<String>> NEXT =
      Map.ofEntries(
          Map.entry("", Set.of("http.route", "handle")),
          Map.entry("simulate", Set.of("handle")),
          Map.entry(
              "http.route",
              Set.of(
                  "http.authorize",
                  "http.discover",
                  "http.patch",
                  "http.write",
                  "http.read",
                  "http.request",
                  "handle")),
          Map.entry("http.discover", Set.of("http.authorize", "http.request", "http.render")),
          Map.entry(
              "http.patch",
              Set.of("http.write", "http.authorize", "http.request", "http.render", "handle")),
          Map.entry(
              "http.write",
              Set.of("http.read", "http.authorize", "http.request", "http.render", "handle")),
          Map.entry("http.read", Set.of("http.request", "http.render", "handle")),
          Map.entry("http.authorize", Set.of("http.request", "http.render", "handle")),
          Map.entry("http.request", Set.of("http.render", "handle")),
          Map.entry("http.render", Set.of()),
          Map.entry("handle", Set.of("admit")),
          Map.entry("admit", Set.of()));

  private final String server;

  RequestRules(String root) {
    this.server = root + ".apiserver";
  }

  ArchRule requestsFollowSteps() {
    return classes()
        .that()
        .resideInAPackage(server + "..")
        .should(
            new ArchCondition<JavaClass>("use only the next steps") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                String here = below(type);
                if (here.matches(STEPS) && !NEXT.containsKey(here)) {
                  events.add(
                      SimpleConditionEvent.violated(type, type.getName() + " is on no known step"));
                }
                Set<String> next = NEXT.getOrDefault(here, Set.of());
                type.getDirectDependenciesFromSelf().stream()
                    .filter(to -> to.getTargetClass().getPackageName().startsWith(server))
                    .filter(to -> below(to.getTargetClass()).matches(STEPS))
                    .filter(to -> !below(to.getTargetClass()).equals(here))
                    .filter(to -> !next.contains(below(to.getTargetClass())))
                    .forEach(
                        to -> events.add(SimpleConditionEvent.violated(type, to.getDescription())));
              }
            });
  }

  /** R15: code outside the server sends requests and performs no step itself. */
  ArchRule requestsEnterAtTheFront() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(server + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(server + ".http..");
  }

  private String below(JavaClass type) {
    String of = type.getPackageName();
    return of.equals(server) ? "" : of.substring(server.length() + 1);
  }
}
