package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the code follows the path of a claim's key that docs/dev/architecture.md describes.
 */
abstract class ClaimPathRules {
  private static final int MAX_STEPS = 14;
  private static final Pattern STEP = Pattern.compile("(?m)^\\d+[.] `(\\w+)`");

  private static List<String> readSteps() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "dev", "architecture.md"));
    String section = page.substring(page.indexOf("## From the event to the write"));
    Matcher step = STEP.matcher(section.substring(0, section.indexOf("\n## ", 1)));
    List<String> names = new ArrayList<>();
    while (step.find()) {
      names.add(step.group(1));
    }
    return names;
  }

  private static List<JavaClass> importTypes(List<String> names) {
    List<JavaClass> types = new ArrayList<>();
    for (String name : names) {
      List<JavaClass> matchingTypes =
          ProductClasses.ALL.stream()
              .filter(type -> type.isTopLevelClass() && type.getSimpleName().equals(name))
              .toList();
      assertThat(matchingTypes).as(name).hasSize(1);
      types.add(matchingTypes.getFirst());
    }
    return types;
  }

  static List<String> collapseRepeats(List<String> packages) {
    List<String> collapsed = new ArrayList<>();
    for (String packageName : packages) {
      if (collapsed.isEmpty() || !collapsed.getLast().equals(packageName)) {
        collapsed.add(packageName);
      }
    }
    return collapsed;
  }

  @Test
  void claimPath_packages_areEnteredOnce() throws IOException {
    List<String> names = readSteps();
    assertThat(names).hasSizeBetween(5, MAX_STEPS).doesNotHaveDuplicates();
    List<JavaClass> types = importTypes(names);
    assertThat(collapseRepeats(types.stream().map(JavaClass::getPackageName).toList()))
        .doesNotHaveDuplicates();
    assertThat(types.getFirst().getPackageName()).isEqualTo("dev.mooring.kube");
    assertThat(types.getLast().getPackageName()).isEqualTo("dev.mooring.cluster");
  }

  /** A step depends on the next one, or a third class connects the two. */
  @Test
  void claimPath_consecutiveSteps_areConnected() throws IOException {
    List<JavaClass> types = importTypes(readSteps());
    for (int step = 1; step < types.size(); step++) {
      assertThat(findUsers(types.get(step - 1)))
          .as(types.get(step - 1).getName() + " and " + types.get(step).getName())
          .anyMatch(findUsers(types.get(step))::contains);
    }
  }

  /** Includes users of controller declarations, because the runtime is assembled with them. */
  private static Set<String> findUsers(JavaClass type) {
    Stream<JavaClass> controllerSpec =
        type.getName().equals(ControllerRuntime.class.getName())
            ? type.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .filter(dependency -> dependency.isEquivalentTo(ControllerSpec.class))
            : Stream.of();
    return Stream.concat(
            Stream.of(type.getName()),
            Stream.concat(Stream.of(type), controllerSpec)
                .flatMap(used -> used.getDirectDependenciesToSelf().stream())
                .map(Dependency::getOriginClass)
                .map(user -> user.getName().replaceFirst("[$].*", "")))
        .collect(Collectors.toSet());
  }

  @Test
  void collapseRepeats_packageEnteredTwice_isListedTwice() {
    assertThat(collapseRepeats(List.of("a", "a", "b", "a"))).containsExactly("a", "b", "a");
  }
}
