package dev.mooring.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * R11: whatever a plugin is asked goes through the host's guard. A default method of the SPI that a
 * guard inherits would answer in the plugin's place, and nobody would see it. Written for any root
 * package, as {@link LayerRules}.
 */
final class GuardRules {
  private final String root;

  GuardRules(String root) {
    this.root = root;
  }

  /** R11: a class that stands for a type of the SPI passes on each of its methods. */
  ArchRule guardsOverrideEveryMethod() {
    return classes()
        .that(
            DescribedPredicate.describe(
                "guard types of the SPI", type -> isOfHost(type) && !promises(type).isEmpty()))
        .should(
            new ArchCondition<JavaClass>("override every method of theirs") {
              @Override
              public void check(JavaClass guard, ConditionEvents events) {
                Set<String> own =
                    guard.getMethods().stream()
                        .map(GuardRules::signature)
                        .collect(Collectors.toSet());
                promises(guard).stream()
                    .flatMap(GuardRules::overridable)
                    .filter(method -> !own.contains(signature(method)))
                    .forEach(method ->
                        events.add(
                            SimpleConditionEvent.violated(
                                guard, guard.getName() + " inherits " + method.getFullName())));
              }
            });
  }

  /** R11: what a plugin can do has a guard class, or one method, for which an expression stands. */
  ArchRule abilitiesWithoutGuardHaveOneMethod() {
    return methods()
        .that(
            DescribedPredicate.describe(
                "hand out a type of the SPI", method -> ability(method).isPresent()))
        .should(
            new ArchCondition<JavaMethod>("hand out one with a guard, or with one method only") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                JavaClass ability = ability(method).orElseThrow();
                boolean guarded =
                    ability.getAllSubclasses().stream().anyMatch(GuardRules.this::isOfHost);
                List<JavaMethod> all = overridable(ability).toList();
                boolean single =
                    all.size() == 1
                        && all.getFirst().getModifiers().contains(JavaModifier.ABSTRACT);
                if (!guarded && !single) {
                  events.add(
                      SimpleConditionEvent.violated(
                          method,
                          ability.getName()
                              + " has no guard class, and not just one abstract method"));
                }
              }
            });
  }

  private boolean isOfHost(JavaClass type) {
    return type.getPackageName().equals(root + ".manager.plugin");
  }

  private boolean isPromise(JavaClass type) {
    return type.isInterface() && (type.getPackageName() + ".").startsWith(root + ".spi.");
  }

  private List<JavaClass> promises(JavaClass type) {
    return type.getAllRawInterfaces().stream().filter(this::isPromise).toList();
  }

  /** What a method of the SPI hands out of the SPI, if it is there. */
  private Optional<JavaClass> ability(JavaMethod method) {
    if (isPromise(method.getOwner())
        && method.getRawReturnType().isEquivalentTo(Optional.class)
        && method.getReturnType() instanceof JavaParameterizedType optional) {
      JavaType of = optional.getActualTypeArguments().getFirst();
      return Optional.of(of.toErasure()).filter(this::isPromise);
    }
    return Optional.empty();
  }

  private static Stream<JavaMethod> overridable(JavaClass type) {
    return type.getAllMethods().stream()
        .filter(method -> method.getOwner().isInterface())
        .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
        .filter(method -> !method.getModifiers().contains(JavaModifier.PRIVATE));
  }

  private static String signature(JavaMethod method) {
    return method.getName()
        + method.getRawParameterTypes().stream().map(JavaClass::getName).toList();
  }
}
