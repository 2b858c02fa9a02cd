package dev.once.aop;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.once.aop.MarkedClass.Mark;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Reads the bodies of a guarded class, of its superclasses and interfaces and of their
 * inner classes, as far as they are the application's own: finds calls of guarded methods
 * that do not leave the object, and HTTP clients that Once is not attached to.
 */
final class ClassBodies {

	/** What is learned in one round can change what is seen in the next. */
	private static final int ROUNDS = 4;

	private static final String CONSTRUCTOR = "<init>";

	private static final String LAMBDA = "lambda$";

	/** The object around an inner class's. */
	private static final String OUTER = "this$";

	private static final Map<String, String> CLIENTS = Map.of("org/springframework/web/client/RestClient.create",
			"RestClient.create()", "org/springframework/web/client/RestClient.builder", "RestClient.builder()",
			"org/springframework/web/client/RestTemplate.<init>", "new RestTemplate()",
			"org/springframework/web/reactive/function/client/WebClient.create", "WebClient.create()",
			"org/springframework/web/reactive/function/client/WebClient.builder", "WebClient.builder()",
			"java/net/http/HttpClient.newHttpClient", "HttpClient.newHttpClient()",
			"java/net/http/HttpClient.newBuilder", "HttpClient.newBuilder()", "java/net/URL.openConnection",
			"URL.openConnection()");

	private final Class<?> type;

	/** Internal names of the object's own classes. */
	private final Set<String> own = new HashSet<>();

	/** Guarded methods by name and descriptor, bridges to them too. */
	private final Map<String, Method> guarded = new HashMap<>();

	private final Set<String> privates = new HashSet<>();

	private final Map<String, ClassReader> readers = new LinkedHashMap<>();

	private Known known = new Known();

	private final Set<SelfCall> selfCalls = new LinkedHashSet<>();

	private final Set<String> clients = new LinkedHashSet<>();

	private boolean attaches;

	private @Nullable String unreadable;

	private ClassBodies(MarkedClass marked) {
		this.type = marked.type();
		for (Class<?> next = this.type; next != null && next != Object.class; next = next.getSuperclass()) {
			addOwn(next);
		}
		ClassUtils.getAllInterfacesForClassAsSet(this.type).forEach(this::addOwn);
		for (Method method : ReflectionUtils.getAllDeclaredMethods(this.type)) {
			Mark mark = marked.mark(method);
			if (mark != null && mark.isGuarded()) {
				this.guarded.put(method.getName() + Type.getMethodDescriptor(method), mark.method());
			}
			else if (Modifier.isPrivate(method.getModifiers())) {
				this.privates.add(Type.getInternalName(method.getDeclaringClass()) + "." + method.getName()
						+ Type.getMethodDescriptor(method));
			}
		}
	}

	private void addOwn(Class<?> type) {
		if (MarkedClass.isCandidate(type)) {
			this.own.add(Type.getInternalName(type));
		}
	}

	/**
	 * Reads a class.
	 * @param marked a class with guarded methods
	 */
	static ClassBodies of(MarkedClass marked) {
		ClassBodies bodies = new ClassBodies(marked);
		bodies.read();
		bodies.readers.clear();
		return bodies;
	}

	/** Calls of guarded methods on the object itself. */
	Set<SelfCall> selfCalls() {
		return this.selfCalls;
	}

	/** HTTP clients that are made, with their places, unless Once is attached there. */
	Set<String> unseenClients() {
		return this.attaches ? Set.of() : this.clients;
	}

	/** Why a class could not be read, or {@code null}. */
	@Nullable String unreadable() {
		return this.unreadable;
	}

	private void read() {
		for (int round = 0; round < ROUNDS; round++) {
			this.selfCalls.clear();
			this.clients.clear();
			Known learned = new Known();
			Set<String> waiting = new LinkedHashSet<>(this.own);
			Set<String> seen = new HashSet<>();
			while (!waiting.isEmpty()) {
				String next = waiting.iterator().next();
				waiting.remove(next);
				ClassReader reader = seen.add(next) ? reader(next) : null;
				if (reader != null) {
					read(reader, new Bodies(next, learned, waiting));
				}
			}
			learned.results().values().removeIf((result) -> result == Origin.OTHER);
			if (learned.equals(this.known)) {
				return;
			}
			this.known = learned;
		}
	}

	private void read(ClassReader reader, Bodies bodies) {
		try {
			reader.accept(bodies, ClassReader.SKIP_FRAMES);
		}
		catch (RuntimeException | AssertionError ex) {
			unreadable(bodies.name, ex);
		}
	}

	// A class file that is newer than Spring's reader must not stop the start
	private void unreadable(String name, Throwable failure) {
		this.unreadable = "the class file of " + name.replace('/', '.') + " cannot be read (" + failure + ")";
	}

	private @Nullable ClassReader reader(String name) {
		if (!this.readers.containsKey(name)) {
			this.readers.put(name, open(name));
		}
		return this.readers.get(name);
	}

	// Classes that were generated have no file, and no calls of the application's in them
	private @Nullable ClassReader open(String name) {
		ClassLoader loader = this.type.getClassLoader();
		String file = name + ".class";
		try (InputStream in = (loader != null) ? loader.getResourceAsStream(file)
				: ClassLoader.getSystemResourceAsStream(file)) {
			return (in != null) ? new ClassReader(in) : null;
		}
		catch (IOException | RuntimeException ex) {
			unreadable(name, ex);
			return null;
		}
	}

	/**
	 * What is known of values that are kept or handed on.
	 *
	 * @param fields what fields hold
	 * @param parameters what parameters are given
	 * @param results what methods return
	 */
	private record Known(Map<String, Origin> fields, Map<String, Origin> parameters, Map<String, Origin> results) {

		Known() {
			this(new HashMap<>(), new HashMap<>(), new HashMap<>());
		}

	}

	/**
	 * The bodies of one class.
	 */
	private final class Bodies extends ClassVisitor {

		private final String name;

		private final Known learned;

		private final Set<String> waiting;

		private String source = "";

		private Bodies(String name, Known learned, Set<String> waiting) {
			super(SpringAsmInfo.ASM_VERSION);
			this.name = name;
			this.learned = learned;
			this.waiting = waiting;
		}

		@Override
		public void visitSource(@Nullable String source, @Nullable String debug) {
			this.source = (source != null) ? source : "";
		}

		@Override
		public void visitInnerClass(String name, @Nullable String outer, @Nullable String simple, int access) {
			if ((access & Opcodes.ACC_STATIC) == 0 && name.startsWith(this.name + "$")) {
				this.waiting.add(name);
			}
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String method, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			if ((access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
				return null;
			}
			List<Origin> arguments = new ArrayList<>();
			boolean instance = (access & Opcodes.ACC_STATIC) == 0;
			if (instance) {
				arguments.add(ClassBodies.this.own.contains(this.name) ? Origin.THIS : Origin.OTHER);
			}
			Type[] types = Type.getArgumentTypes(descriptor);
			for (int i = 0; i < types.length; i++) {
				arguments.add(ClassBodies.this.known.parameters()
					.getOrDefault(parameter(this.name, method, descriptor, i), Origin.OTHER));
				if (types[i].getSize() == 2) {
					arguments.add(Origin.OTHER);
				}
			}
			Facts facts = new Facts(this, method, descriptor);
			MethodBody body = new MethodBody(arguments, facts);
			facts.body = body;
			return body;
		}

		private String place(String method, int line) {
			String type = ClassUtils.getShortName(this.name.replace('/', '.'));
			String where = method.equals(CONSTRUCTOR) ? "the constructor of " + type
					: method.startsWith(LAMBDA) ? "a lambda in " + type + "." + method.split("\\$")[1]
							: method.equals("<clinit>") ? type : type + "." + method;
			return where + ((line > 0 && !this.source.isEmpty()) ? " (" + this.source + ":" + line + ")" : "");
		}

	}

	/**
	 * Names a parameter. A method may be called by the name of a subclass; a lambda or a
	 * constructor not.
	 */
	private static String parameter(String owner, String method, String descriptor, int position) {
		boolean ofOneClass = method.startsWith(LAMBDA) || method.equals(CONSTRUCTOR);
		return (ofOneClass ? owner + "." : "") + method + descriptor + position;
	}

	/**
	 * What a body does, in the light of what is known of the class.
	 */
	private final class Facts implements BodyListener {

		private final Bodies bodies;

		private final String method;

		private final String descriptor;

		private @Nullable MethodBody body;

		private Facts(Bodies bodies, String method, String descriptor) {
			this.bodies = bodies;
			this.method = method;
			this.descriptor = descriptor;
		}

		@Override
		public Origin read(String owner, String name, String descriptor) {
			if (name.startsWith(OUTER) && ClassBodies.this.own.contains(Type.getType(descriptor).getInternalName())) {
				return Origin.THIS;
			}
			return ClassBodies.this.known.fields().getOrDefault(owner + "." + name, Origin.OTHER);
		}

		@Override
		public void written(String owner, String name, Origin value) {
			if (value != Origin.OTHER && !name.startsWith(OUTER)) {
				this.bodies.learned.fields().put(owner + "." + name, Origin.PERHAPS);
			}
		}

		@Override
		public Origin called(int opcode, String owner, String name, String descriptor, Origin receiver,
				List<Origin> arguments) {
			look(owner, name);
			if (isScanned(owner)) {
				for (int i = 0; i < arguments.size(); i++) {
					give(parameter(owner, name, descriptor, i), arguments.get(i).stored());
				}
			}
			boolean ofSuper = opcode == Opcodes.INVOKESPECIAL && name.equals(this.method)
					&& descriptor.equals(this.descriptor);
			if (!ofSuper) {
				call(owner, name, descriptor, receiver);
			}
			// On a proxy, what returns this returns the proxy
			return (receiver == Origin.OTHER) ? Origin.OTHER
					: ClassBodies.this.known.results().getOrDefault(name + descriptor, Origin.OTHER);
		}

		@Override
		public void referred(Handle handle, List<Origin> captured) {
			if (!isScanned(handle.getOwner())) {
				return;
			}
			boolean instance = handle.getTag() == Opcodes.H_INVOKEVIRTUAL
					|| handle.getTag() == Opcodes.H_INVOKEINTERFACE || handle.getTag() == Opcodes.H_INVOKESPECIAL;
			if (instance && !captured.isEmpty()) {
				call(handle.getOwner(), handle.getName(), handle.getDesc(), captured.get(0));
			}
			int first = instance ? 1 : 0;
			for (int i = first; i < captured.size(); i++) {
				give(parameter(handle.getOwner(), handle.getName(), handle.getDesc(), i - first),
						handle.getName().startsWith(LAMBDA) ? captured.get(i) : captured.get(i).stored());
			}
		}

		@Override
		public void returned(Origin value) {
			this.bodies.learned.results().merge(this.method + this.descriptor, value, Origin::or);
		}

		private void give(String parameter, Origin value) {
			if (value != Origin.OTHER) {
				this.bodies.learned.parameters().merge(parameter, value, Origin::or);
			}
		}

		private boolean isScanned(String owner) {
			int inner = owner.indexOf('$');
			return ClassBodies.this.own.contains(owner)
					|| (inner > 0 && ClassBodies.this.own.stream().anyMatch((own) -> owner.startsWith(own + "$")));
		}

		private void call(String owner, String name, String descriptor, Origin receiver) {
			Method guarded = ClassBodies.this.guarded.get(name + descriptor);
			if (guarded != null && receiver != Origin.OTHER && ClassBodies.this.own.contains(owner)
					&& !ClassBodies.this.privates.contains(owner + "." + name + descriptor)) {
				ClassBodies.this.selfCalls.add(new SelfCall(guarded, place(), receiver));
			}
		}

		private void look(String owner, String name) {
			String client = CLIENTS.get(owner + "." + name);
			if (client != null) {
				ClassBodies.this.clients.add(client + " in " + place());
			}
			ClassBodies.this.attaches |= owner.startsWith("dev/once/http/")
					|| (owner.equals("dev/once/Effect") && name.equals("sending"));
		}

		private String place() {
			return this.bodies.place(this.method, (this.body != null) ? this.body.line() : 0);
		}

	}

}
