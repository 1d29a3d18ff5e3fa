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
 * R15: a request passes the packages of the embedded server in one order. R10 covers cycles. The
 * root package is a parameter, as in {@link LayerRules}.
 */
final class RequestRules {
  /** Packages that are steps of a request. Only the previous steps may call them. */
  private static final String STEPS = "http([.].*)?|handle|admit";

  /**
   * Allowed successors of each package. Other packages of the server may call no step, and every
   * package below {@code http} needs an entry.
   */
  private static final Map<String, Set<String>> NEXT_STEPS =
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

  private final String serverPackage;

  RequestRules(String root) {
    this.serverPackage = root + ".apiserver";
  }

  ArchRule requestsFollowSteps() {
    return classes()
        .that()
        .resideInAPackage(serverPackage + "..")
        .should(
            new ArchCondition<JavaClass>("use only the next steps") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                String step = packageWithinServer(type);
                if (step.matches(STEPS) && !NEXT_STEPS.containsKey(step)) {
                  events.add(
                      SimpleConditionEvent.violated(type, type.getName() + " is on no known step"));
                }
                Set<String> nextSteps = NEXT_STEPS.getOrDefault(step, Set.of());
                type.getDirectDependenciesFromSelf().stream()
                    .filter(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith(serverPackage))
                    .filter(dependency ->
                        packageWithinServer(dependency.getTargetClass()).matches(STEPS))
                    .filter(dependency ->
                        !packageWithinServer(dependency.getTargetClass()).equals(step))
                    .filter(dependency ->
                        !nextSteps.contains(packageWithinServer(dependency.getTargetClass())))
                    .forEach(dependency ->
                        events.add(
                            SimpleConditionEvent.violated(type, dependency.getDescription())));
              }
            });
  }

  /** R15: code outside the server sends requests and performs no step itself. */
  ArchRule requestsEnterThroughHttp() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(serverPackage + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(serverPackage + ".http..");
  }

  private String packageWithinServer(JavaClass type) {
    String packageName = type.getPackageName();
    return packageName.equals(serverPackage)
        ? ""
        : packageName.substring(serverPackage.length() + 1);
  }
}
