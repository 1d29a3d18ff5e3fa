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
 * R11: every call of a plugin passes through a guard of the host. A guard that inherits a default
 * method of the SPI would return the default, and the plugin would not be called.
 */
final class GuardRules {
  private final String root;

  GuardRules(String root) {
    this.root = root;
  }

  ArchRule guardsOverrideEveryMethod() {
    return classes()
        .that(
            DescribedPredicate.describe(
                "guard types of the SPI",
                type -> isHostType(type) && !findSpiTypes(type).isEmpty()))
        .should(
            new ArchCondition<JavaClass>("override every method of the guarded type") {
              @Override
              public void check(JavaClass guard, ConditionEvents events) {
                Set<String> overriddenSignatures =
                    guard.getMethods().stream()
                        .map(GuardRules::signature)
                        .collect(Collectors.toSet());
                findSpiTypes(guard).stream()
                    .flatMap(GuardRules::streamOverridableMethods)
                    .filter(method -> !overriddenSignatures.contains(signature(method)))
                    .forEach(method ->
                        events.add(
                            SimpleConditionEvent.violated(
                                guard, guard.getName() + " inherits " + method.getFullName())));
              }
            });
  }

  /** A capability has a guard class, or a single method that a lambda can implement. */
  ArchRule unguardedCapabilitiesHaveOneMethod() {
    return methods()
        .that(
            DescribedPredicate.describe(
                "return a type of the SPI", method -> findCapability(method).isPresent()))
        .should(
            new ArchCondition<JavaMethod>("return a type with a guard or a single method") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                JavaClass capability = findCapability(method).orElseThrow();
                boolean hasGuard =
                    capability.getAllSubclasses().stream().anyMatch(GuardRules.this::isHostType);
                List<JavaMethod> methods = streamOverridableMethods(capability).toList();
                boolean isFunctional =
                    methods.size() == 1
                        && methods.getFirst().getModifiers().contains(JavaModifier.ABSTRACT);
                if (!hasGuard && !isFunctional) {
                  events.add(
                      SimpleConditionEvent.violated(
                          method,
                          capability.getName()
                              + " has no guard class, and not just one abstract method"));
                }
              }
            });
  }

  private boolean isHostType(JavaClass type) {
    return type.getPackageName().equals(root + ".manager.plugin");
  }

  private boolean isSpiType(JavaClass type) {
    return type.isInterface() && (type.getPackageName() + ".").startsWith(root + ".spi.");
  }

  private List<JavaClass> findSpiTypes(JavaClass type) {
    return type.getAllRawInterfaces().stream().filter(this::isSpiType).toList();
  }

  private Optional<JavaClass> findCapability(JavaMethod method) {
    if (isSpiType(method.getOwner())
        && method.getRawReturnType().isEquivalentTo(Optional.class)
        && method.getReturnType() instanceof JavaParameterizedType optionalType) {
      JavaType capability = optionalType.getActualTypeArguments().getFirst();
      return Optional.of(capability.toErasure()).filter(this::isSpiType);
    }
    return Optional.empty();
  }

  private static Stream<JavaMethod> streamOverridableMethods(JavaClass type) {
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
