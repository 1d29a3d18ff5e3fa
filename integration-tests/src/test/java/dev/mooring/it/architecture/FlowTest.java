package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
class FlowTest {
  private static final int MOST = 14;
  private static final Pattern STEP = Pattern.compile("(?m)^\\d+[.] `(\\w+)`");

  private static List<String> steps() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "dev", "architecture.md"));
    String section = page.substring(page.indexOf("## From the event to the write"));
    Matcher step = STEP.matcher(section.substring(0, section.indexOf("\n## ", 1)));
    List<String> names = new ArrayList<>();
    while (step.find()) {
      names.add(step.group(1));
    }
    return names;
  }

  private static List<JavaClass> types(List<String> names) {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.mooring");
    List<JavaClass> types = new ArrayList<>();
    for (String name : names) {
      List<JavaClass> found =
          ours.stream()
              .filter(type -> type.isTopLevelClass() && type.getSimpleName().equals(name))
              .toList();
      assertThat(found).as(name).hasSize(1);
      types.add(found.getFirst());
    }
    return types;
  }

  static List<String> entered(List<String> packages) {
    List<String> entered = new ArrayList<>();
    for (String next : packages) {
      if (entered.isEmpty() || !entered.getLast().equals(next)) {
        entered.add(next);
      }
    }
    return entered;
  }

  @Test
  void claimPath_packages_areEnteredOnce() throws IOException {
    List<String> names = steps();
    assertThat(names).hasSizeBetween(5, MOST).doesNotHaveDuplicates();
    List<JavaClass> types = types(names);
    assertThat(entered(types.stream().map(JavaClass::getPackageName).toList()))
        .doesNotHaveDuplicates();
    assertThat(types.getFirst().getPackageName()).isEqualTo("dev.mooring.kube");
    assertThat(types.getLast().getPackageName()).isEqualTo("dev.mooring.cluster");
  }

  /** A step depends on the next one, or a third class connects the two. */
  @Test
  void claimPath_consecutiveSteps_areConnected() throws IOException {
    List<JavaClass> types = types(steps());
    for (int i = 1; i < types.size(); i++) {
      assertThat(usersOf(types.get(i - 1)))
          .as(types.get(i - 1).getName() + " and " + types.get(i).getName())
          .anyMatch(usersOf(types.get(i))::contains);
    }
  }

  /** The runtime runs the declarations of controllers and is wired together with them. */
  private static Set<String> usersOf(JavaClass type) {
    Stream<JavaClass> declared =
        type.getName().equals(ControllerRuntime.class.getName())
            ? type.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .filter(seen -> seen.isEquivalentTo(ControllerSpec.class))
            : Stream.of();
    return Stream.concat(
            Stream.of(type.getName()),
            Stream.concat(Stream.of(type), declared)
                .flatMap(known -> known.getDirectDependenciesToSelf().stream())
                .map(Dependency::getOriginClass)
                .map(by -> by.getName().replaceFirst("[$].*", "")))
        .collect(Collectors.toSet());
  }

  @Test
  void entered_packageTwice_isListedTwice() {
    assertThat(entered(List.of("a", "a", "b", "a"))).containsExactly("a", "b", "a");
  }
}
