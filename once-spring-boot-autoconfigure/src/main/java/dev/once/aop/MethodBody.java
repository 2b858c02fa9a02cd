package dev.once.aop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Goes through a method's body once, from its first instruction to its last, and knows of
 * every local variable and operand whether it is {@code this}. Values that reach a place
 * only from below it, by a loop, are not followed.
 */
final class MethodBody extends MethodVisitor {

	private final BodyListener listener;

	private final Map<Label, State> arriving = new HashMap<>();

	private final Map<Label, List<Label>> handlers = new HashMap<>();

	private final Set<Label> passed = new HashSet<>();

	private State state;

	private boolean reachable = true;

	private int line;

	MethodBody(List<Origin> arguments, BodyListener listener) {
		super(SpringAsmInfo.ASM_VERSION);
		this.listener = listener;
		this.state = new State(new ArrayList<>(arguments), new ArrayList<>());
	}

	int line() {
		return this.line;
	}

	// Ways through the body

	@Override
	public void visitLineNumber(int line, Label start) {
		this.line = line;
	}

	@Override
	public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
		this.handlers.computeIfAbsent(start, (label) -> new ArrayList<>()).add(handler);
	}

	@Override
	public void visitLabel(Label label) {
		State arrived = this.arriving.remove(label);
		if (this.reachable) {
			this.state = (arrived != null) ? this.state.or(arrived) : this.state;
		}
		else {
			this.state = (arrived != null) ? arrived : this.state.withStack(List.of());
		}
		this.reachable = true;
		this.passed.add(label);
		for (Label handler : this.handlers.getOrDefault(label, List.of())) {
			arriveAt(handler, this.state.withStack(List.of(Origin.OTHER)));
		}
	}

	private void arriveAt(Label label, State from) {
		if (!this.passed.contains(label)) {
			this.arriving.merge(label, from.copy(), State::or);
		}
	}

	@Override
	public void visitJumpInsn(int opcode, Label label) {
		switch (opcode) {
			case Opcodes.GOTO -> {
			}
			case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE, Opcodes.IFNULL,
					Opcodes.IFNONNULL ->
				pop(1);
			default -> pop(2);
		}
		arriveAt(label, this.state);
		this.reachable = opcode != Opcodes.GOTO;
	}

	@Override
	public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
		choose(otherwise, labels);
	}

	@Override
	public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
		choose(otherwise, labels);
	}

	private void choose(Label otherwise, Label[] labels) {
		pop(1);
		arriveAt(otherwise, this.state);
		for (Label label : labels) {
			arriveAt(label, this.state);
		}
		this.reachable = false;
	}

	// Calls and fields

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		int size = Type.getType(descriptor).getSize();
		switch (opcode) {
			case Opcodes.GETFIELD -> {
				pop(1);
				push(this.listener.read(owner, name, descriptor), size);
			}
			case Opcodes.GETSTATIC -> push(this.listener.read(owner, name, descriptor), size);
			default -> {
				this.listener.written(owner, name, (size == 1) ? top() : Origin.OTHER);
				pop(size);
				pop((opcode == Opcodes.PUTFIELD) ? 1 : 0);
			}
		}
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
		List<Origin> arguments = arguments(descriptor);
		Origin receiver = (opcode == Opcodes.INVOKESTATIC) ? Origin.OTHER : pop();
		Origin result = this.listener.called(opcode, owner, name, descriptor, receiver, arguments);
		push(result, Type.getReturnType(descriptor).getSize());
	}

	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... constants) {
		List<Origin> captured = arguments(descriptor);
		for (Object constant : constants) {
			if (constant instanceof Handle handle) {
				this.listener.referred(handle, captured);
			}
		}
		push(Origin.OTHER, Type.getReturnType(descriptor).getSize());
	}

	/** One for each argument, whatever its size. */
	private List<Origin> arguments(String descriptor) {
		Type[] types = Type.getArgumentTypes(descriptor);
		List<Origin> arguments = new ArrayList<>();
		for (int i = types.length - 1; i >= 0; i--) {
			arguments.add((types[i].getSize() == 1) ? top() : Origin.OTHER);
			pop(types[i].getSize());
		}
		Collections.reverse(arguments);
		return arguments;
	}

	// Everything else moves values that are not this

	@Override
	public void visitVarInsn(int opcode, int variable) {
		switch (opcode) {
			case Opcodes.ALOAD -> push(this.state.local(variable), 1);
			case Opcodes.ILOAD, Opcodes.FLOAD -> push(Origin.OTHER, 1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> push(Origin.OTHER, 2);
			case Opcodes.ASTORE -> this.state.local(variable, pop());
			case Opcodes.ISTORE, Opcodes.FSTORE -> {
				pop(1);
				this.state.local(variable, Origin.OTHER);
			}
			default -> {
				pop(2);
				this.state.local(variable, Origin.OTHER);
				this.state.local(variable + 1, Origin.OTHER);
			}
		}
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		if (opcode == Opcodes.NEW) {
			push(Origin.OTHER, 1);
		}
		else if (opcode != Opcodes.CHECKCAST) {
			pop(1);
			push(Origin.OTHER, 1);
		}
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		if (opcode != Opcodes.NEWARRAY) {
			push(Origin.OTHER, 1);
		}
	}

	@Override
	public void visitLdcInsn(Object value) {
		boolean wide = value instanceof Long || value instanceof Double
				|| (value instanceof ConstantDynamic constant && constant.getSize() == 2);
		push(Origin.OTHER, wide ? 2 : 1);
	}

	@Override
	public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
		pop(dimensions);
		push(Origin.OTHER, 1);
	}

	@Override
	public void visitInsn(int opcode) {
		switch (opcode) {
			case Opcodes.ARETURN -> {
				this.listener.returned(top());
				this.reachable = false;
			}
			case Opcodes.RETURN, Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ATHROW ->
				this.reachable = false;
			case Opcodes.DUP -> copy(1, 0);
			case Opcodes.DUP_X1 -> copy(1, 1);
			case Opcodes.DUP_X2 -> copy(1, 2);
			case Opcodes.DUP2 -> copy(2, 0);
			case Opcodes.DUP2_X1 -> copy(2, 1);
			case Opcodes.DUP2_X2 -> copy(2, 2);
			case Opcodes.SWAP -> {
				Origin upper = pop();
				Origin lower = pop();
				push(upper, 1);
				push(lower, 1);
			}
			default -> change(growth(opcode));
		}
	}

	private void change(int growth) {
		if (growth > 0) {
			push(Origin.OTHER, growth);
		}
		else {
			pop(-growth);
		}
	}

	/** By how many slots an instruction without operands makes the stack grow. */
	private static int growth(int opcode) {
		return switch (opcode) {
			case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> 2;
			case Opcodes.ACONST_NULL, Opcodes.ICONST_M1, Opcodes.ICONST_0, Opcodes.ICONST_1, Opcodes.ICONST_2,
					Opcodes.ICONST_3, Opcodes.ICONST_4, Opcodes.ICONST_5, Opcodes.FCONST_0, Opcodes.FCONST_1,
					Opcodes.FCONST_2, Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D ->
				1;
			case Opcodes.IALOAD, Opcodes.FALOAD, Opcodes.AALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD,
					Opcodes.POP, Opcodes.IADD, Opcodes.FADD, Opcodes.ISUB, Opcodes.FSUB, Opcodes.IMUL, Opcodes.FMUL,
					Opcodes.IDIV, Opcodes.FDIV, Opcodes.IREM, Opcodes.FREM, Opcodes.ISHL, Opcodes.LSHL, Opcodes.ISHR,
					Opcodes.LSHR, Opcodes.IUSHR, Opcodes.LUSHR, Opcodes.IAND, Opcodes.IOR, Opcodes.IXOR, Opcodes.L2I,
					Opcodes.L2F, Opcodes.D2I, Opcodes.D2F, Opcodes.FCMPL, Opcodes.FCMPG, Opcodes.MONITORENTER,
					Opcodes.MONITOREXIT ->
				-1;
			case Opcodes.POP2, Opcodes.LADD, Opcodes.DADD, Opcodes.LSUB, Opcodes.DSUB, Opcodes.LMUL, Opcodes.DMUL,
					Opcodes.LDIV, Opcodes.DDIV, Opcodes.LREM, Opcodes.DREM, Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR ->
				-2;
			case Opcodes.IASTORE, Opcodes.FASTORE, Opcodes.AASTORE, Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE,
					Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG ->
				-3;
			case Opcodes.LASTORE, Opcodes.DASTORE -> -4;
			default -> 0;
		};
	}

	private Origin top() {
		List<Origin> stack = this.state.stack();
		return stack.isEmpty() ? Origin.OTHER : stack.get(stack.size() - 1);
	}

	private Origin pop() {
		Origin top = top();
		pop(1);
		return top;
	}

	private void pop(int slots) {
		List<Origin> stack = this.state.stack();
		for (int i = 0; i < slots && !stack.isEmpty(); i++) {
			stack.remove(stack.size() - 1);
		}
	}

	private void push(Origin value, int slots) {
		for (int i = 0; i < slots; i++) {
			this.state.stack().add(value);
		}
	}

	/** Copies the topmost slots to below some others. */
	private void copy(int slots, int below) {
		List<Origin> stack = this.state.stack();
		int size = stack.size();
		if (size >= slots + below) {
			stack.addAll(size - slots - below, List.copyOf(stack.subList(size - slots, size)));
		}
	}

	/**
	 * Locals and operands, a slot each.
	 */
	private record State(List<Origin> locals, List<Origin> stack) {

		Origin local(int variable) {
			return (variable < this.locals.size()) ? this.locals.get(variable) : Origin.OTHER;
		}

		void local(int variable, Origin value) {
			while (this.locals.size() <= variable) {
				this.locals.add(Origin.OTHER);
			}
			this.locals.set(variable, value);
		}

		State copy() {
			return new State(new ArrayList<>(this.locals), new ArrayList<>(this.stack));
		}

		State withStack(List<Origin> stack) {
			return new State(new ArrayList<>(this.locals), new ArrayList<>(stack));
		}

		State or(State other) {
			return new State(or(this.locals, other.locals), or(this.stack, other.stack));
		}

		private static List<Origin> or(List<Origin> some, List<Origin> others) {
			List<Origin> merged = new ArrayList<>();
			for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
				merged.add(some.get(i).or(others.get(i)));
			}
			return merged;
		}

	}

}
