package io.headgate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.BaseStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The package map: who may use whom, and what may be done where. */
@AnalyzeClasses(packages = "io.headgate", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "io.headgate";

  /** From the top down; a package uses only packages of lower rows, none of its own row. */
  private static final List<Set<String>> ROWS =
      List.of(
          Set.of("edge"),
          Set.of("admission"),
          Set.of("lineage", "jobs", "timeline.live", "fn", "picture"),
          Set.of("upstream", "state"),
          Set.of("directory", "timeline"),
          Set.of("graph"),
          Set.of("wire"));

  /** A package that stands higher than the one it is named after. */
  private static final String LIVE = "timeline.live";

  /** Everybody may use it, and it uses none of ours. */
  private static final String OBSERVE = "observe";

  @ArchTest
  static final ArchRule packages_use_only_packages_below_them =
      classes()
          .that()
          .resideOutsideOfPackage(ROOT)
          .should(useOnlyPackagesBelow())
          .because("a request goes down the package list and its answer comes up");

  @ArchTest
  static final ArchRule packages_are_free_of_cycles =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule netty_and_http_servers_are_known_to_the_edge_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".edge..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.netty..", "io.vertx.ext.web..")
                  .or(named("io.vertx.core.http.HttpServer")))
          .because("the other packages are tested without a server");

  @ArchTest
  static final ArchRule http_clients_are_known_to_upstream_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".upstream..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("java.net.http..")
                  .or(named("io.vertx.core.http.HttpClient"))
                  .or(named("io.vertx.core.http.RequestOptions"))
                  .or(named("io.vertx.core.http.PoolOptions")))
          .because("every call that leaves the gateway has one owner");

  @ArchTest
  static final ArchRule grpc_is_known_to_the_fn_port_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".edge.fn..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.vertx.grpc..", "io.grpc.."))
          .because("streams of harnesses are tested without a server");

  @ArchTest
  static final ArchRule messages_of_the_fn_api_are_known_to_its_adapter_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".fn.v1..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("org.apache.beam..", "com.google.protobuf.."))
          .because("another version of the protocol would be another adapter");

  @ArchTest
  static final ArchRule hazelcast_is_known_to_state_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".state..")
          .should()
          .dependOnClassesThat(resideInAPackage("com.hazelcast.."));

  @ArchTest
  static final ArchRule opentelemetry_is_known_to_traces_only =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".observe.trace..")
          .should()
          .dependOnClassesThat(resideInAPackage("io.opentelemetry.."))
          .because("its classes are not even to be loaded where there are no traces");

  @ArchTest
  static final ArchRule the_rules_of_the_fence_know_no_cluster =
      noClasses()
          .that(named(ROOT + ".state.Served"))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("com.hazelcast..", "io.vertx..")
                  .or(named(ROOT + ".state.Cluster")))
          .because("one gateway and a cluster judge by the same rules");

  @ArchTest
  static final ArchRule graph_is_plain_java =
      classes()
          .that()
          .resideInAPackage(ROOT + ".graph..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", ROOT + ".graph..", ROOT + ".wire.."));

  /** The store applies them at the owner of a job, and tests without any store. */
  @ArchTest
  static final ArchRule timeline_is_plain_java =
      classes()
          .that()
          .resideInAnyPackage(ROOT + ".timeline", ROOT + ".timeline.ingest")
          .and()
          // the seam to the store has calls and reasons
          .haveNameNotMatching(
              ".*\\.(TimelineStore|OwnedTimelines|ClusterHistory|TimelineUnavailableException)")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "java..", "org.jspecify..", ROOT + ".timeline..", ROOT + ".wire.."));

  @ArchTest
  static final ArchRule the_timeline_is_unknown_to_sources_and_other_capabilities =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + ".upstream..",
              ROOT + ".lineage..",
              ROOT + ".jobs..",
              ROOT + ".fn..",
              ROOT + ".picture..")
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT + ".timeline.."))
          .because("it stands below them for the store's sake only");

  @ArchTest
  static final ArchRule the_layout_library_is_known_to_one_class_of_picture =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".picture.LayeredLayout")
          .and()
          .haveNameNotMatching(".*\\.LayeredLayout\\$.*")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.eclipse.elk..", "org.eclipse.emf..", "org.eclipse.xtext.."))
          .because("it can be replaced, and its graph is no type of ours");

  @ArchTest
  static final ArchRule picture_knows_no_network_and_no_threads =
      classes()
          .that()
          .resideInAPackage(ROOT + ".picture..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "java..",
                  "javax.xml.stream..",
                  "org.jspecify..",
                  "org.eclipse.elk..",
                  "org.eclipse.emf.common.util..",
                  ROOT + ".picture..",
                  ROOT + ".graph..",
                  ROOT + ".wire.."));

  @ArchTest
  static final ArchRule directory_is_plain_java =
      classes()
          .that()
          .resideInAPackage(ROOT + ".directory..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "java..",
                  "org.jspecify..",
                  ROOT + ".directory..",
                  ROOT + ".graph..",
                  ROOT + ".wire.."));

  @ArchTest
  static final ArchRule wire_is_plain_java =
      classes()
          .that()
          .resideInAPackage(ROOT + ".wire..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", ROOT + ".wire.."));

  @ArchTest
  static final ArchRule threads_are_made_and_waited_for_in_admission_only =
      classes()
          .that()
          .resideOutsideOfPackage(ROOT + ".admission..")
          .and(not(ofHeadgateItself()))
          .should(neverBlockNorMakeThreads())
          .because("work without a permit and a bounded pool can't be counted");

  @ArchTest
  static void every_package_is_described_and_null_marked(JavaClasses classes) {
    List<String> bare = new ArrayList<>();
    for (JavaPackage each : packagesWithClasses(classes)) {
      if (each.tryGetPackageInfo().isEmpty() || !each.isAnnotatedWith(NullMarked.class)) {
        bare.add(each.getName());
      }
    }
    assertThat(bare).as("packages without a package-info that is @NullMarked").isEmpty();
  }

  private static List<JavaPackage> packagesWithClasses(JavaClasses classes) {
    return classes.stream()
        .map(JavaClass::getPackage)
        .distinct()
        .sorted(Comparator.comparing(JavaPackage::getName))
        .toList();
  }

  @Test
  void the_rule_about_threads_does_find_each_way_of_breaking_it() {
    JavaClasses offenders =
        new ClassFileImporter().importClasses(Offender.class, Offender.Waiting.class);
    ArchRule rule = classes().should(neverBlockNorMakeThreads());
    List<String> details = rule.evaluate(offenders).getFailureReport().getDetails();
    assertThat(details).hasSize(Offender.OFFENCES);
  }

  @Test
  void the_rule_about_layers_does_find_an_upward_use() {
    JavaClasses both =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT + ".graph", ROOT + ".wire");
    assertThat(rowOf(ROOT + ".graph")).isLessThan(rowOf(ROOT + ".wire"));
    assertThat(allowed(ROOT + ".wire", ROOT + ".graph")).as("wire using graph").isFalse();
    assertThat(allowed(ROOT + ".lineage", ROOT + ".picture")).as("one row").isFalse();
    assertThat(allowed(ROOT + ".timeline", ROOT + ".upstream")).as("upwards").isFalse();
    assertThat(allowed(ROOT + ".state", ROOT + ".timeline")).as("the store").isTrue();
    assertThat(allowed(ROOT + ".state", ROOT + ".timeline.live")).as("upwards").isFalse();
    assertThat(allowed(ROOT + ".timeline", ROOT + ".timeline.live")).as("upwards").isFalse();
    assertThat(allowed(ROOT + ".timeline.live", ROOT + ".timeline.ingest")).isTrue();
    assertThat(allowed(ROOT + ".observe", ROOT + ".wire")).as("observe using ours").isFalse();
    assertThat(allowed(ROOT + ".wire", ROOT)).as("using the root package").isFalse();
    assertThat(allowed(ROOT + ".edge", ROOT + ".upstream.zeta")).as("edge downwards").isTrue();
    assertThat(allowed(ROOT + ".upstream.zeta", ROOT + ".upstream")).as("its own").isTrue();
    assertThat(allowed(ROOT + ".wire", ROOT + ".observe")).as("observe").isTrue();
    assertThat(classes().should(useOnlyPackagesBelow()).evaluate(both).hasViolation()).isFalse();
  }

  private static ArchCondition<JavaClass> useOnlyPackagesBelow() {
    return new ArchCondition<>("use only packages below their own") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        user.getDirectDependenciesFromSelf().stream()
            .filter(use -> use.getTargetClass().getPackageName().startsWith(ROOT))
            .filter(use -> !allowed(user.getPackageName(), use.getTargetClass().getPackageName()))
            .forEach(use -> events.add(SimpleConditionEvent.violated(user, use.getDescription())));
      }
    };
  }

  private static boolean allowed(String user, String used) {
    String userCapability = capability(user);
    String usedCapability = capability(used);
    if (userCapability.equals(usedCapability)) {
      return true;
    }
    if (userCapability.equals(OBSERVE)) {
      return false;
    }
    return usedCapability.equals(OBSERVE) || rowOf(used) > rowOf(user);
  }

  /** The first name behind the root, or two for {@link #LIVE}; empty for the root itself. */
  private static String capability(String packageName) {
    String rest = packageName.substring(ROOT.length());
    if (rest.startsWith('.' + LIVE)) {
      return LIVE;
    }
    return rest.isEmpty() ? "" : rest.substring(1).split("\\.")[0];
  }

  /** The row of a package; the root stands above all of them. */
  private static int rowOf(String packageName) {
    String capability = capability(packageName);
    if (capability.isEmpty()) {
      return -1;
    }
    for (int row = 0; row < ROWS.size(); row++) {
      if (ROWS.get(row).contains(capability)) {
        return row;
      }
    }
    throw new AssertionError(packageName + " has no place in the package map of this test");
  }

  private static DescribedPredicate<JavaClass> named(String prefix) {
    return DescribedPredicate.describe(
        "named " + prefix + "*", javaClass -> javaClass.getName().startsWith(prefix));
  }

  /** The main class and what is nested in it: it may wait while it starts and stops. */
  private static DescribedPredicate<JavaClass> ofHeadgateItself() {
    return DescribedPredicate.describe(
        "the main class",
        javaClass ->
            javaClass.getName().equals(ROOT + ".Headgate")
                || javaClass.getName().startsWith(ROOT + ".Headgate$"));
  }

  private static <T> DescribedPredicate<T> not(DescribedPredicate<T> predicate) {
    return DescribedPredicate.not(predicate);
  }

  private static ArchCondition<JavaClass> neverBlockNorMakeThreads() {
    return new ArchCondition<>("never block, wait, or make threads") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        for (JavaCodeUnitAccess<?> access : user.getCodeUnitAccessesFromSelf()) {
          JavaClass owner = access.getTargetOwner();
          String name = access.getTarget().getName();
          if (blocks(owner, name) || makesThreads(access, owner, name)) {
            events.add(SimpleConditionEvent.violated(user, access.getDescription()));
          }
        }
      }
    };
  }

  private static boolean blocks(JavaClass owner, String name) {
    return switch (name) {
      case "get", "join" ->
          owner.isAssignableTo(java.util.concurrent.Future.class)
              || owner.isAssignableTo(Thread.class);
      case "await" ->
          owner.isAssignableTo(Future.class) || owner.isAssignableTo(CountDownLatch.class);
      case "sleep" -> owner.isAssignableTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class);
      case "wait" -> owner.isEquivalentTo(Object.class);
      case "executeBlocking" -> true;
      default -> owner.isEquivalentTo(LockSupport.class) && name.startsWith("park");
    };
  }

  private static boolean makesThreads(JavaCodeUnitAccess<?> access, JavaClass owner, String name) {
    if (name.equals("<init>")) {
      return owner.isAssignableTo(Thread.class)
          || owner.isAssignableTo(Timer.class)
          || owner.getPackageName().startsWith("java.") && owner.isAssignableTo(Executor.class);
    }
    if (owner.isEquivalentTo(Executors.class)
        || owner.isEquivalentTo(ForkJoinPool.class)
        || name.startsWith("createSharedWorkerExecutor") && owner.isAssignableTo(Vertx.class)) {
      return true;
    }
    if (name.equals("parallelStream")
        || name.equals("parallel") && owner.isAssignableTo(BaseStream.class)) {
      return true;
    }
    // Without an executor of its own an asynchronous stage runs on the JVM's common pool.
    return name.endsWith("Async")
        && owner.isAssignableTo(CompletionStage.class)
        && access.getTarget().getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Executor.class));
  }

  /** Ways to break the rule about threads, one a line; never run. */
  @SuppressWarnings("unused")
  static final class Offender {
    static final int OFFENCES = 21;

    static final class Waiting extends Thread {}

    Object blocks(Vertx vertx, CompletableFuture<String> future, Future<String> stage)
        throws Exception {
      future.get();
      future.get(1, TimeUnit.SECONDS);
      future.join();
      stage.await();
      new CountDownLatch(1).await();
      Thread.sleep(1);
      TimeUnit.SECONDS.sleep(1);
      LockSupport.parkNanos(1);
      Thread.currentThread().join();
      wait();
      java.util.function.Supplier<String> reference = future::join;
      return vertx.executeBlocking(() -> reference);
    }

    Object makes(CompletableFuture<String> future) {
      List.of(1).parallelStream();
      CompletableFuture.supplyAsync(() -> "on the common pool");
      future.thenApplyAsync(text -> text);
      new Timer();
      new ForkJoinPool();
      Executors.newCachedThreadPool();
      new Waiting();
      return new Thread(() -> {});
    }
  }
}
