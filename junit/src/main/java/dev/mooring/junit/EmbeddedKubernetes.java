package dev.mooring.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class an API server and a namespace of its own. The annotation marks the class, or
 * one of its static fields of type {@link KubernetesServer}, which the extension sets.
 *
 * <p>Constructors, tests and lifecycle methods may declare parameters of the types {@link
 * KubernetesServer}, fabric8's {@code KubernetesClient} and the Kubernetes Java client's {@code
 * ApiClient}, and a String with {@link KubeconfigText}. The clients act as the administrator, or as
 * the service account of {@link ActingAs}. The extension closes them after the last test of the
 * class.
 *
 * <p>If a test fails, the extension publishes and logs the objects of the namespace. Nested classes
 * without this annotation share the server and namespace of their enclosing class.
 */
@Documented
@Inherited
@ExtendWith(KubernetesExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.ANNOTATION_TYPE})
public @interface EmbeddedKubernetes {
  /** Lifetime of a server. */
  enum ServerLifecycle {
    /**
     * All classes of the JVM share one server, which starts with the first of them. Cluster-scoped
     * objects stay until the JVM ends.
     */
    PER_JVM,
    /** The class has a server of its own. */
    PER_CLASS
  }

  /** The lifetime of the server. */
  ServerLifecycle lifecycle() default ServerLifecycle.PER_JVM;

  /** The name of the namespace; "" derives it from the name of the class. */
  String namespace() default "";

  /**
   * Files of CustomResourceDefinitions, which are created before the manifests. A name is a path on
   * the class path or in the working directory; its last segment may contain the wildcard *.
   */
  String[] crds() default {};

  /**
   * Files of objects, named as in {@link #crds}. Objects without a namespace are created in the
   * namespace of the class. <code>${namespace}</code> in a file stands for its name.
   */
  String[] manifests() default {};

  /**
   * The number of simulated nodes, which run the pods of all namespaces. Needs {@link
   * ServerLifecycle#PER_CLASS}.
   */
  int simulateNodes() default 0;

  /**
   * Controllers that act on the namespace of the class. {@link ClusterController#VOLUMES} and
   * {@link ClusterController#NAMESPACES} act on all namespaces and need {@link
   * ServerLifecycle#PER_CLASS}.
   */
  ClusterController[] controllers() default {};

  /**
   * Option to use TLS, which kubectl and other Go clients need to send a token. Needs {@link
   * ServerLifecycle#PER_CLASS}.
   */
  boolean tls() default false;

  /**
   * The TCP port on the loopback interface; 0 selects a free one. Another port needs {@link
   * ServerLifecycle#PER_CLASS}.
   */
  int port() default 0;
}
