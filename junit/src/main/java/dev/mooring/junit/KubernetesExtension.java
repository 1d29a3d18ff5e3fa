package dev.mooring.junit;

import dev.mooring.junit.EmbeddedKubernetes.ServerLifecycle;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

// the stores of JUnit close servers and namespaces
final class KubernetesExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        LifecycleMethodExecutionExceptionHandler,
        ParameterResolver {
  private static final System.Logger LOG = System.getLogger(KubernetesExtension.class.getName());
  private static final int OLDEST_JAVA = 21;
  private static final Namespace STATE = Namespace.create(KubernetesExtension.class);
  private static final Object LOCK = new Object();

  @Override
  public void beforeAll(ExtensionContext context) throws IllegalAccessException {
    KubernetesServer server = findServer(context).kubernetes();
    Optional<Field> field = findField(context);
    if (field.isPresent()) {
      field.get().trySetAccessible();
      field.get().set(null, server);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    NamespaceRequests requests = findServer(context).kubernetes().recorder();
    requests.reset();
    requests.discardRefusals();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      reportObjects(context);
    }
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    reportObjects(context);
    throw failure;
  }

  private static void reportObjects(ExtensionContext context) {
    KubernetesServer server = findServer(context).kubernetes();
    String objects = server.describeObjects();
    String title = "objects of " + server.namespace();
    context.publishReportEntry(title, objects.isEmpty() ? "none" : objects);
    // Surefire drops report entries
    LOG.log(Level.WARNING, "{0} fails; {1}:\n{2}", context.getDisplayName(), title, objects);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == KubernetesServer.class
        || type == String.class && parameter.isAnnotated(KubeconfigText.class)
        || InjectedClient.find(type).isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    ClassServer server = findServer(context);
    if (type == KubernetesServer.class) {
      return server.kubernetes();
    }
    String account = parameter.findAnnotation(ActingAs.class).map(ActingAs::value).orElse("");
    Optional<InjectedClient> library = InjectedClient.find(type);
    return library.isPresent()
        ? server.client(library.get(), type, account)
        : server.kubeconfig(account);
  }

  private static ClassServer findServer(ExtensionContext context) {
    ExtensionContext owner = findOwner(context);
    synchronized (LOCK) {
      ClassServer server = owner.getStore(STATE).get(ClassServer.class, ClassServer.class);
      if (server == null) {
        server = openServer(owner);
        owner.getStore(STATE).put(ClassServer.class, server);
      }
      return server;
    }
  }

  // the context of the annotated class: nested classes and methods have contexts below it
  private static ExtensionContext findOwner(ExtensionContext context) {
    ExtensionContext owner = context;
    while (owner.getTestMethod().isPresent() || findOptions(owner).isEmpty()) {
      owner = owner.getParent().orElseThrow();
    }
    return owner;
  }

  private static Optional<EmbeddedKubernetes> findOptions(ExtensionContext context) {
    Optional<EmbeddedKubernetes> ofClass =
        AnnotationSupport.findAnnotation(context.getTestClass(), EmbeddedKubernetes.class);
    return ofClass.isPresent()
        ? ofClass
        : findField(context).map(field -> field.getAnnotation(EmbeddedKubernetes.class));
  }

  private static Optional<Field> findField(ExtensionContext context) {
    List<Field> fields =
        context
            .getTestClass()
            .map(type -> AnnotationSupport.findAnnotatedFields(type, EmbeddedKubernetes.class))
            .orElse(List.of());
    for (Field field : fields) {
      if (fields.size() > 1
          || !Modifier.isStatic(field.getModifiers())
          || field.getType() != KubernetesServer.class) {
        throw new ExtensionConfigurationException(
            context.getRequiredTestClass().getName()
                + ": @EmbeddedKubernetes on the field "
                + field.getName()
                + " needs one static field of type KubernetesServer");
      }
    }
    return fields.stream().findFirst();
  }

  private static ClassServer openServer(ExtensionContext owner) {
    Class<?> testClass = owner.getRequiredTestClass();
    EmbeddedKubernetes options = findOptions(owner).orElseThrow();
    try {
      requireJava(Runtime.version().feature());
      requireOwnServer(options);
      return options.lifecycle() == ServerLifecycle.PER_JVM
          ? ClassServer.open(findSharedServer(owner.getRoot()), options, testClass)
          : openOwnServer(options, testClass);
    } catch (ExtensionConfigurationException e) {
      throw new ExtensionConfigurationException(testClass.getName() + ": " + e.getMessage(), e);
    }
  }

  private static ClassServer openOwnServer(EmbeddedKubernetes options, Class<?> testClass) {
    TestServer server = TestServer.start(options.port(), options.tls());
    try {
      ClassServer opened = ClassServer.open(server, options, testClass);
      opened.closeLast(server::close);
      return opened;
    } catch (ExtensionConfigurationException e) {
      server.close();
      throw e;
    }
  }

  static void requireJava(int release) {
    if (release < OLDEST_JAVA) {
      throw new ExtensionConfigurationException(
          "mooring-junit needs Java " + OLDEST_JAVA + " or later; this JVM is Java " + release);
    }
  }

  private static void requireOwnServer(EmbeddedKubernetes options) {
    boolean isShared = options.lifecycle() == ServerLifecycle.PER_JVM;
    List<String> needs = new ArrayList<>();
    if (options.simulateNodes() > 0) {
      needs.add("simulateNodes");
    }
    if (options.port() > 0) {
      needs.add("port");
    }
    if (options.tls()) {
      needs.add("tls");
    }
    Arrays.stream(options.controllers())
        .filter(controller -> !controller.isLimitedToNamespace())
        .forEach(controller -> needs.add("controllers = " + controller));
    if (isShared && !needs.isEmpty()) {
      throw new ExtensionConfigurationException(
          String.join(", ", needs)
              + " would change the server of other classes; use lifecycle = PER_CLASS");
    }
  }

  private static TestServer findSharedServer(ExtensionContext root) {
    TestServer server = root.getStore(STATE).get(TestServer.class, TestServer.class);
    if (server == null) {
      server = TestServer.start(0, false);
      root.getStore(STATE).put(TestServer.class, server);
    }
    return server;
  }
}
