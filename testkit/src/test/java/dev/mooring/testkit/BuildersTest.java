package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.model.Claim;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuildersTest {
  @TestFactory
  Stream<DynamicTest> builder_eachRecord_hasAllMembers() {
    return Arrays.stream(Resource.class.getPermittedSubclasses())
        .map(type -> dynamicTest(type.getSimpleName(), () -> hasABuilder(type)));
  }

  private static void hasABuilder(Class<?> type) throws Exception {
    Class<?> builder = Class.forName("dev.mooring.testkit." + type.getSimpleName() + "Builder");
    for (RecordComponent component : type.getRecordComponents()) {
      if (!component.getName().equals("meta")) {
        Method setter = builder.getMethod(component.getName(), component.getType());
        assertThat(setter.getReturnType()).isEqualTo(builder);
      }
    }
    Method like = TestObjects.class.getMethod("like", type);
    assertThat(like.getReturnType()).isEqualTo(builder);
    Object newBuilder = createBuilder(builder);
    Object built = builder.getMethod("build").invoke(newBuilder);
    Object copy = builder.getMethod("build").invoke(like.invoke(null, built));
    assertThat(copy).as("copy of the object").isEqualTo(built).isInstanceOf(type);
  }

  private static Object createBuilder(Class<?> builder) throws Exception {
    for (Method method : TestObjects.class.getMethods()) {
      if (method.getReturnType() == builder && takesNames(method)) {
        return method.getParameterCount() == 1
            ? method.invoke(null, "a")
            : method.invoke(null, "ns", "a");
      }
    }
    throw new AssertionError("no method returns a " + builder);
  }

  private static boolean takesNames(Method method) {
    return Arrays.stream(method.getParameterTypes()).allMatch(String.class::equals);
  }

  @Test
  void build_metadataSetByName_hasEachValue() {
    Claim claim =
        TestObjects.claim("ns", "data")
            .uid("7")
            .version(3)
            .created(1)
            .deleted(2)
            .label("l", "1")
            .annotation("a", "2")
            .finalizer("f")
            .controller("pod")
            .request("5Gi")
            .build();
    Meta meta = claim.meta();
    assertThat(meta.key()).isEqualTo(ObjectKey.of("ns", "data"));
    assertThat(meta.uid()).hasToString("7");
    assertThat(meta.resourceVersion()).isEqualTo(3);
    assertThat(meta.created()).isEqualTo(1);
    assertThat(meta.isBeingDeleted()).isTrue();
    assertThat(meta.labels()).containsEntry("l", "1");
    assertThat(meta.annotation("a")).isEqualTo("2");
    assertThat(meta.finalizers()).containsExactly("f");
    assertThat(meta.controller()).hasToString("pod");
    assertThat(claim.request()).hasToString("5Gi");
    assertThat(
            TestObjects.like(claim)
                .meta(TestObjects.metaOf(ObjectKey.of("ns", "b")).meta())
                .build()
                .key()
                .name())
        .isEqualTo("b");
  }

  @Test
  void uid_differentKeys_differ() {
    assertThat(TestObjects.claim("ns", "a").meta().uid())
        .isNotEqualTo(TestObjects.claim("ns", "b").meta().uid())
        .isNotEqualTo(TestObjects.claim("other", "a").meta().uid());
  }
}
